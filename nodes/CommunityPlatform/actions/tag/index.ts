import type { IDataObject } from 'n8n-workflow';
import { tag as record, tagSummary } from '../../../shared/records/types';
import { isSameName } from '../../../shared/text';
import { identifierOf } from '../../../shared/records/identity';
import { MAX_PAGE_SIZE } from '../../../shared/transport';
import { entityId, idList } from '../../input/identifiers';
import {
	additionalFields,
	keepOtherFields,
	sortCollection,
	sortKey,
	updateFields,
} from '../common';
import { tagLocator } from '../locators';
import type { ListingFilter, Operation, Resource } from '../operation';
import { name, optionalFields, tagName } from './fields';
import { nameToSend } from './nameToSend';
import { rules, type Input, type ReadValue } from '../../input/field';

const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create tag',
	description: 'Create a new tag',
	builderHint:
		'The API refuses a name that exists already. Unless the tag is certain to be new, choose upsert.',
	request: { method: 'POST', url: '/tags' },
	strategy: { name: 'one' },
	record,
	adviceIfTaken: 'If the tag exists already, use Create or Update.',
	fields: [name, additionalFields(optionalFields)],
};

// Outside the object, where n8n's linter requires the text to say "upsert".
const ofUpsert = 'Create a tag, or change the one that has the name already';

const upsert: Operation = {
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update tag',
	description: ofUpsert,
	builderHint:
		'Choose this to bring tags in step with a table, or whenever a tag may or may not exist: the tag of this name is changed, else created. It needs no tag ID and is safe to repeat.',
	request: { method: 'POST', url: '/tags' },
	strategy: { name: 'upsert', kind: 'tag' },
	record,
	acknowledged: { identifiers: ({ values }) => ({ name: values.name as string }) },
	fields: [
		{
			...name,
			description:
				'Name of the tag, like a hashtag. A tag with exactly this name, whatever its case, is updated and keeps its name as it is written; otherwise a new one is created.',
			[rules]: { ...name[rules], valueToKeep: nameAsSpelled },
		},
		additionalFields(
			optionalFields,
			'What is not given keeps its value when the tag exists already',
		),
	],
};

// The tag was found by one of its two names, so that one is certain to identify it.
function nameAsSpelled(tag: IDataObject, { name: given }: Input['values']): unknown {
	if (isSameName(tag.display_name, given, true)) return tag.display_name;
	try {
		return nameToSend(tag);
	} catch {
		return tag.name;
	}
}

const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get tag',
	description: 'Get the details of one tag, by its ID or name',
	request: { method: 'GET', url: '/tags/{tagId}' },
	strategy: { name: 'one' },
	record,
	fields: [tagLocator],
};

// One page for each portion, so that it is one request. URLs are limited to some 8,000 characters, in many proxies to
// fewer.
function inPortions(qs: IDataObject): IDataObject[] {
	const ids = String(qs.ids).split(',');
	const starts = ids.map((_, at) => at).filter((at) => at % MAX_PAGE_SIZE === 0);
	return starts.map((at) => ({ ...qs, ids: ids.slice(at, at + MAX_PAGE_SIZE).join() }));
}

// A server that does not know `ids` gives all tags.
function askedFor({ qs }: Input): ListingFilter {
	const ids = new Set(String(qs.ids).split(','));
	return { keeps: (tag) => ids.has(identifierOf(tag, tagSummary) ?? '') };
}

const getByIds: Operation = {
	name: 'Get by IDs',
	value: 'getByIds',
	action: 'Get tags by IDs',
	description: 'Get the tags with the given IDs',
	request: { method: 'GET', url: '/tags' },
	strategy: { name: 'listing', queries: inPortions, filter: askedFor },
	record: tagSummary,

	fields: [
		{
			displayName: 'Tag IDs',
			name: 'tagIds',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 3, 14, 15',
			description: 'The numbers of the tags, separated by commas, or an array from an expression',
			routing: { send: { type: 'query', property: 'ids' } },
			[rules]: { read: idList },
		},
	],
};

const getForEntity: Operation = {
	name: 'Get for Record',
	value: 'getForEntity',
	action: 'Get tags of record',
	description: 'Get the tags of a post, comment, reply or user',
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
			description: 'What kind of record has the tags',
			options: [
				{ name: 'Comment', value: 'COMMENT' },
				{ name: 'Member', value: 'USER' },
				{ name: 'Post', value: 'POST' },
				{ name: 'Reply', value: 'REPLY' },
			],
			routing: { send: { type: 'query', property: 'ref_type' } },
		},
		{
			displayName: 'Record ID',
			name: 'refId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 42',
			description: 'The number of the post, comment or reply, or the msid of the user',
			routing: { send: { type: 'query', property: 'ref_id' } },
			[rules]: { read: entityId, isIdentifier: true },
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
	description: 'Get a list of tags',
	request: { method: 'GET', url: '/tags' },
	strategy: { name: 'listing' },
	record: tagSummary,
	fields: [
		sortCollection('asc', {
			displayName: 'Sort By',
			name: 'sortBy',
			type: 'options',
			default: 'name',
			options: sortOptions,
			routing: { send: { type: 'query', property: 'sort_by' } },
			[rules]: { read: sortKey(sortOptions, { tag_id: 'id', display_name: 'name' }) },
		}),
	],
};

// The sign is no part of a tag's name.
const partOfName: ReadValue = (value, label) => String(tagName(value, label)).replace(/^#/, '');

const search: Operation = {
	name: 'Search',
	value: 'search',
	action: 'Search tags',
	description: 'Get the tags whose name has some text in it',
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
			description: 'The text to look for in the names of tags',
			routing: { send: { type: 'query', property: 'q' } },
			[rules]: { read: partOfName },
		},
	],
};

const [backColor, about, image, ...others] = optionalFields;

const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update tag',
	description: 'Change the details of a tag, named by its ID or name',
	builderHint: 'For a tag that exists. Where it may be missing, choose upsert.',
	request: { method: 'PUT', url: '/tags/{tagId}' },
	strategy: { name: 'replace' },
	record,
	fields: [tagLocator, keepOtherFields, updateFields([backColor, about, image, name, ...others])],
};

export const tag: Resource = {
	name: 'Tag',
	value: 'tag',
	initial: getAll,
	operations: [create, upsert, get, getByIds, getForEntity, getAll, search, update],
};
