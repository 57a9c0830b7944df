import type { INodeProperties } from 'n8n-workflow';
import { tag, tagSummary } from '../../../shared/records';
import type { Input } from '../../input/readInput';
import { sendListing } from '../../send/listing';
import { sendOne } from '../../send/one';
import { sendReplace } from '../../send/replace';
import { replaceableTag } from '../../send/replaceable';
import { sendUpsertTag } from '../../send/upsertTag';
import { showFor } from '../showFor';
import * as create from './create';
import * as get from './get';
import * as getAll from './getAll';
import * as getByIds from './getByIds';
import * as getForEntity from './getForEntity';
import * as search from './search';
import * as update from './update';
import * as upsert from './upsert';

export const operation: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['tag'] } },
	options: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create a tag',
			description: 'Create a new tag',
			routing: {
				request: { method: 'POST', url: '/api/v1/tags' },
				operations: { pagination: sendOne({ record: tag, fields: create.fields }) },
			},
		},
		{
			name: 'Create or Update',
			value: 'upsert',
			action: 'Create or update a tag',
			description: 'Create a new record, or update the current one if it already exists (upsert)',
			routing: {
				request: { method: 'POST', url: '/api/v1/tags' },
				operations: {
					pagination: sendUpsertTag({
						record: tag,
						fields: upsert.fields,
						identify: ({ values }: Input) => ({ name: values.name as string }),
					}),
				},
			},
		},
		{
			name: 'Get',
			value: 'get',
			action: 'Get a tag',
			description: 'Get the details of one tag',
			routing: {
				request: { method: 'GET', url: '/api/v1/tags/{tagId}' },
				operations: { pagination: sendOne({ record: tag, fields: get.fields }) },
			},
		},
		{
			name: 'Get by IDs',
			value: 'getByIds',
			action: 'Get several tags at once',
			description: 'Get the tags with the given IDs',
			routing: {
				request: { method: 'GET', url: '/api/v1/tags' },
				operations: {
					pagination: sendListing({
						record: tagSummary,
						fields: getByIds.fields,
						inParts: 'ids',
					}),
				},
			},
		},
		{
			name: 'Get for Entity',
			value: 'getForEntity',
			action: 'Get the tags of an entity',
			description: 'Get the tags of a post, comment, reply or user',
			routing: {
				request: { method: 'GET', url: '/api/v1/tags/mapping' },
				operations: {
					pagination: sendListing({ record: tagSummary, fields: getForEntity.fields }),
				},
			},
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many tags',
			description: 'Get a list of tags',
			routing: {
				request: { method: 'GET', url: '/api/v1/tags' },
				operations: { pagination: sendListing({ record: tagSummary, fields: getAll.fields }) },
			},
		},
		{
			name: 'Search',
			value: 'search',
			action: 'Search tags',
			description: 'Get the tags whose name matches a query',
			routing: {
				request: { method: 'GET', url: '/api/v1/tags/search' },
				operations: { pagination: sendListing({ record: tagSummary, fields: search.fields }) },
			},
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update a tag',
			description: 'Change the details of a tag',
			routing: {
				request: { method: 'PUT', url: '/api/v1/tags/{tagId}' },
				operations: {
					pagination: sendReplace(replaceableTag, {
						record: tag,
						fields: update.fields,
						identify: ({ values }: Input) => ({ tag_id: Number(values.tagId) }),
					}),
				},
			},
		},
	],
	default: 'getAll',
};

export const fields: INodeProperties[] = showFor('tag', {
	create: create.fields,
	get: get.fields,
	getAll: getAll.fields,
	getByIds: getByIds.fields,
	getForEntity: getForEntity.fields,
	search: search.fields,
	update: update.fields,
	upsert: upsert.fields,
});
