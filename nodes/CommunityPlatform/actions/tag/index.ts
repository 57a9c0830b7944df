import type { IDataObject } from 'n8n-workflow';
import { tag as record, tagSummary } from '../../../shared/records/types';
import { MAX_PAGE_SIZE } from '../../../shared/transport';
import { idList, numberOf, postNumber } from '../../input/identifiers';
import { additionalFields, keepOtherFields, sortCollection, updateFields } from '../common';
import { tagLocator, userLocator } from '../locators';
import type { Operation, Resource } from '../operation';
import { name, optionalFields, tagName } from './fields';
import { rules, type Convert } from '../field';

const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create tag',
	description: 'Create a new tag',
	builderHint: 'The API refuses existing names. If the tag may already exist, choose upsert.',
	effect: 'creates',
	request: { method: 'POST', url: '/tags' },
	record,
	adviceIfTaken: "If the tag already exists, use 'Create or Update'.",
	fields: [name, additionalFields(optionalFields)],
};

const upsert: Operation = {
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update tag',
	description: 'Create a new tag, or update the current one if it already exists (upsert)',
	builderHint:
		'Choose this to sync tags with a table, or if the tag may already exist. It updates the tag with this name, or else creates it. It needs no tag ID and is safe to repeat.',
	effect: 'creates',
	request: { method: 'POST', url: '/tags' },
	strategy: { name: 'upsert', kind: 'tag' },
	record,
	acknowledged: { identifiers: ({ values }) => ({ name: values.name as string }) },
	fields: [
		{
			...name,
			description:
				'Name of the tag, like a hashtag. If one with this name exists (ignoring case), it is updated and keeps its spelling.',
		},
		additionalFields(optionalFields, "If the tag exists, fields you don't set keep their values"),
	],
};

const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get tag',
	description: 'Retrieve a tag by ID or name',
	effect: 'reads',
	request: { method: 'GET', url: '/tags/{tagId}' },
	record,
	fields: [tagLocator],
};

// Each batch is one page, so that it takes one request. Many proxies limit URLs to 8,000 characters or fewer.
function inBatches(qs: IDataObject): IDataObject[] {
	const ids = String(qs.ids).split(',');
	const starts = ids.map((_, at) => at).filter((at) => at % MAX_PAGE_SIZE === 0);
	return starts.map((at) => ({ ...qs, ids: ids.slice(at, at + MAX_PAGE_SIZE).join() }));
}

const getByIds: Operation = {
	name: 'Get by IDs',
	value: 'getByIds',
	action: 'Get tags by IDs',
	description: 'Retrieve a list of tags by their IDs',
	effect: 'reads',
	request: { method: 'GET', url: '/tags' },
	strategy: { name: 'listing', queries: inBatches },
	record: tagSummary,
	fields: [
		{
			displayName: 'Tag IDs',
			name: 'tagIds',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 3, 14, 15',
			description: 'IDs of the tags, separated by commas',
			routing: { send: { type: 'query', property: 'ids' } },
			[rules]: { convert: idList },
		},
	],
};

const recordNumber: Record<string, Convert> = {
	COMMENT: numberOf('comment'),
	POST: postNumber,
	REPLY: numberOf('reply'),
};
const refIdRouting = { send: { type: 'query', property: 'ref_id' } } as const;
// If an expression decides the type, n8n ignores `show`. With this in `hide`, it shows only the text.
const BY_EXPRESSION = { _cnd: { startsWith: '=' } };

const getForEntity: Operation = {
	name: 'Get for Record',
	value: 'getForEntity',
	action: 'Get tags for record',
	description: 'Retrieve the tags of a post, comment, reply or member',
	effect: 'reads',
	request: { method: 'GET', url: '/tags/mapping' },
	strategy: { name: 'listing' },
	record: tagSummary,
	fields: [
		{
			displayName: 'Record Type',
			name: 'refType',
			type: 'options',
			default: 'POST',
			required: true,
			description: 'Type of the record that has the tags',
			options: [
				{ name: 'Comment', value: 'COMMENT' },
				{ name: 'Member', value: 'USER' },
				{ name: 'Post', value: 'POST' },
				{ name: 'Reply', value: 'REPLY' },
			],
			routing: { send: { type: 'query', property: 'ref_type' } },
		},
		{
			...userLocator,
			name: 'refId',
			description: 'The member who has the tags',
			displayOptions: { hide: { refType: [...Object.keys(recordNumber), BY_EXPRESSION] } },
			routing: refIdRouting,
		},
		{
			displayName: 'Record ID',
			name: 'refId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 42',
			description: "ID of the post, comment, reply or member. A post's URL also works.",
			hint: "Drag in 'post_id', 'comment_id' or 'reply_id' from an input item",
			displayOptions: { hide: { refType: ['USER'] } },
			routing: refIdRouting,
			[rules]: {
				convert: (value, label, _mode, { before } = {}) =>
					recordNumber[String(before?.refType)](value, label),
				isIdentifier: true,
			},
		},
	],
};

const sortOptions = [
	{ name: 'ID', value: 'id' },
	{ name: 'Name', value: 'name' },
];

const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many tags',
	description: 'Retrieve a list of tags',
	effect: 'reads',
	request: { method: 'GET', url: '/tags' },
	strategy: { name: 'listing' },
	record: tagSummary,
	fields: [sortCollection('asc', 'name', sortOptions)],
};

// The hash sign is not part of a tag's name.
const partOfName: Convert = (value, label) => String(tagName(value, label)).replace(/^#/, '');

const search: Operation = {
	name: 'Search',
	value: 'search',
	action: 'Search tags',
	description: 'Retrieve the tags whose name contains a text',
	effect: 'reads',
	request: { method: 'GET', url: '/tags/search' },
	strategy: { name: 'listing' },
	record: tagSummary,
	fields: [
		{
			displayName: 'Part of the Name',
			name: 'query',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. how',
			description: 'The text to search for in the names of tags',
			routing: { send: { type: 'query', property: 'q' } },
			[rules]: { convert: partOfName },
		},
	],
};

const [backColor, about, image, ...others] = optionalFields;

const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update tag',
	description: 'Update a tag by ID or name',
	builderHint: 'For a tag that exists. If it may be missing, choose upsert.',
	effect: 'sets',
	request: { method: 'PUT', url: '/tags/{tagId}' },
	strategy: { name: 'replace' },
	record,
	fields: [tagLocator, updateFields([backColor, about, image, name, ...others]), keepOtherFields],
};

export const tag: Resource = {
	name: 'Tag',
	value: 'tag',
	initial: getAll,
	operations: [create, upsert, get, getByIds, getForEntity, getAll, search, update],
};
