import { tagSummary } from '../../../shared/records/types';
import type { Operation } from '../operation';
import { meaning } from '../../input/field';
import { entityId } from '../../input/identifiers';
export const getForEntity: Operation = {
	name: 'Get for Record',
	value: 'getForEntity',
	action: 'Get tags of record by type and ID',
	description: 'Get the tags of a post, comment, reply or user',
	request: { method: 'GET', url: '/tags/mapping' },
	strategy: 'listing',
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
				{ name: 'Post', value: 'POST' },
				{ name: 'Reply', value: 'REPLY' },
				{ name: 'User', value: 'USER' },
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
			description: 'The identifier of the post, comment, reply or user',
			routing: { send: { type: 'query', property: 'ref_id' } },
			[meaning]: { read: entityId, isIdentifier: true },
		},
	],
};
