import { tagSummary } from '../../../shared/records/types';
import type { Operation } from '../operation';
import { sortCollection } from '../sort';

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many tags',
	description: 'Get a list of tags',
	request: { method: 'GET', url: '/tags' },
	strategy: 'listing',
	record: tagSummary,
	fields: [
		sortCollection('asc', {
			displayName: 'Sort By',
			name: 'sortBy',
			type: 'options',
			default: 'name',
			options: [
				{ name: 'ID', value: 'id' },
				{ name: 'Name', value: 'name' },
			],
			routing: { send: { type: 'query', property: 'sort_by' } },
		}),
	],
};
