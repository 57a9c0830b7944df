import { byId } from '../community.mts';
import { ADA } from '../known-records.mts';
import { fromList, type WireCase } from './table.mts';

const OPTIONAL_FIELDS = {
	description: 'Guides',
	image: 'https://images.example/guides.png',
	ogImage: 'https://images.example/preview.png',
	ogTitle: 'All guides',
	ogDescription: 'Of our community',
	backColor: '#abcdef',
	textColor: '#12345678',
};
const OPTIONAL_BODY = {
	description: 'Guides',
	image: 'https://images.example/guides.png',
	og_image: 'https://images.example/preview.png',
	og_title: 'All guides',
	og_description: 'Of our community',
	back_color: '#abcdef',
	text_color: '#12345678',
};
const FIRST_STEPS = {
	name: 'FirstSteps',
	description: 'For newcomers',
	image: 'https://images.example/tag.png',
	og_image: 'https://images.example/tag-preview.png',
	og_title: 'First steps',
	og_description: 'How to begin',
	back_color: '#112233',
	text_color: '#445566',
};

export const tag: WireCase[] = [
	{
		operation: 'tag.create',
		title: 'sends every field',
		parameters: { name: 'HowTo', additionalFields: OPTIONAL_FIELDS },
		expectedRequests: [['POST', '/api/v1/tags', { name: 'HowTo', ...OPTIONAL_BODY }]],
		expectedItems: [{ tag_id: 661, ...OPTIONAL_BODY, name: 'howto', display_name: 'HowTo' }],
	},
	{
		operation: 'tag.create',
		title: 'leaves colors and other fields to the API unless they are set',
		parameters: { name: 'HowTo' },
		expectedRequests: [['POST', '/api/v1/tags', { name: 'HowTo' }]],
		expectedItems: [{ tag_id: 661, back_color: '#ffffff', text_color: '#330000' }],
	},
	{
		operation: 'tag.get',
		title: 'reads one tag',
		parameters: { tagId: fromList('9400') },
		expectedRequests: [['GET', '/api/v1/tags/9400']],
		expectedItems: [
			{ tag_id: 9400, ...FIRST_STEPS, name: 'firststeps', display_name: 'FirstSteps' },
		],
	},
	{
		operation: 'tag.getAll',
		title: 'leaves the order to the API unless it is set',
		parameters: { limit: 50 },
		expectedRequests: [['GET', '/api/v1/tags?page=1&page_size=50']],
		expectedItems: Array.from({ length: 50 }, () => ({})),
	},
	{
		operation: 'tag.getAll',
		title: 'sorts',
		parameters: { limit: 1, sort: { sortBy: 'id', order: 'desc' } },
		expectedRequests: [['GET', '/api/v1/tags?order=desc&sort_by=id&page=1&page_size=1']],
		expectedItems: [{ tag_id: 9400, name: 'firststeps' }],
	},
	{
		operation: 'tag.getByIds',
		title: 'sends the IDs as one list, each once',
		parameters: { tagIds: '9400, 501 ,9400' },
		expectedRequests: [['GET', '/api/v1/tags?ids=9400%2C501&page=1&page_size=50']],
		expectedItems: [{}, {}],
	},
	{
		operation: 'tag.getForEntity',
		title: 'sends type and ID of the entity',
		parameters: { refType: 'POST', refId: 'https://community.example.com/posts/9100' },
		expectedRequests: [
			['GET', '/api/v1/tags/mapping?ref_type=POST&ref_id=9100&page=1&page_size=50'],
		],
		expectedItems: [{ tag_id: 9400 }],
	},
	{
		operation: 'tag.getForEntity',
		title: 'accepts the msid of a member',
		parameters: { refType: 'USER', refId: byId(ADA) },
		expectedRequests: [
			['GET', `/api/v1/tags/mapping?ref_type=USER&ref_id=${ADA}&page=1&page_size=50`],
		],
		expectedItems: [{ tag_id: 9400 }],
	},
	{
		operation: 'tag.search',
		title: 'escapes the searched text',
		parameters: { query: ' #steps & more' },
		expectedRequests: [['GET', '/api/v1/tags/search?q=steps%20%26%20more&page=1&page_size=50']],
		expectedItems: [],
	},
	{
		operation: 'tag.search',
		title: 'lists matching tags',
		parameters: { query: 'firststeps', returnAll: false, limit: 7 },
		expectedRequests: [['GET', '/api/v1/tags/search?q=firststeps&page=1&page_size=7']],
		expectedItems: [{ tag_id: 9400, display_name: 'FirstSteps' }],
	},
	{
		operation: 'tag.update',
		title: 'keeps fields that are not set, even the capitals of the name',
		parameters: { tagId: byId('9400'), keepOtherFields: true, updateFields: { ogTitle: 'New' } },
		expectedRequests: [
			['GET', '/api/v1/tags/9400'],
			['PUT', '/api/v1/tags/9400', { ...FIRST_STEPS, og_title: 'New' }],
		],
		expectedItems: [
			{ tag_id: 9400, name: 'firststeps', display_name: 'FirstSteps', og_title: 'New' },
		],
	},
	{
		operation: 'tag.update',
		title: 'clears a field that is set to empty text',
		parameters: { tagId: byId('9400'), updateFields: { description: '' } },
		expectedRequests: [
			['GET', '/api/v1/tags/9400'],
			['PUT', '/api/v1/tags/9400', { ...FIRST_STEPS, description: '' }],
		],
		expectedItems: [{ tag_id: 9400, description: '', og_title: 'First steps' }],
	},
	{
		operation: 'tag.update',
		title: 'replaces the tag without reading it first',
		parameters: {
			tagId: byId('9400'),
			keepOtherFields: false,
			updateFields: { name: 'Guides', ...OPTIONAL_FIELDS },
		},
		expectedRequests: [['PUT', '/api/v1/tags/9400', { name: 'Guides', ...OPTIONAL_BODY }]],
		expectedItems: [{ tag_id: 9400, display_name: 'Guides', og_title: 'All guides' }],
	},
	{
		operation: 'tag.upsert',
		title: 'creates a missing tag with all its fields',
		parameters: { name: 'HowTo', additionalFields: OPTIONAL_FIELDS },
		arrange: ({ community }) => community.tags.clear(),
		expectedRequests: [
			['GET', '/api/v1/tags/search?q=howto&page=1&page_size=50'],
			['POST', '/api/v1/tags', { name: 'HowTo', ...OPTIONAL_BODY }],
		],
		expectedItems: [{ tag_id: 661, name: 'howto', display_name: 'HowTo' }],
	},
	{
		operation: 'tag.upsert',
		title: 'updates an existing tag and keeps its other fields',
		parameters: { name: 'FirstSteps', additionalFields: { description: 'New' } },
		expectedRequests: [
			['GET', '/api/v1/tags/search?q=firststeps&page=1&page_size=50'],
			['GET', '/api/v1/tags/9400'],
			['PUT', '/api/v1/tags/9400', { ...FIRST_STEPS, description: 'New' }],
		],
		expectedItems: [{ tag_id: 9400, description: 'New', og_title: 'First steps' }],
	},
];
