import { tagSummary } from '../../../shared/records/types';
import type { Operation } from '../operation';
import { meaning } from '../../input/field';
import { idList } from '../../input/identifiers';
export const getByIds: Operation = {
	name: 'Get by IDs',
	value: 'getByIds',
	action: 'Get many tags by IDs',
	description: 'Get the tags with the given IDs',
	request: { method: 'GET', url: '/tags' },
	strategy: 'listing',
	record: tagSummary,
	inParts: 'ids',
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
			[meaning]: { read: idList },
		},
	],
};
