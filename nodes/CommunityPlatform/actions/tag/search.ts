import { tagSummary } from '../../../shared/records/types';
import type { Operation } from '../operation';
export const search: Operation = {
	name: 'Search',
	value: 'search',
	action: 'Search tags by part of name',
	description: 'Get the tags whose name has some text in it',
	request: { method: 'GET', url: '/tags/search' },
	strategy: 'listing',
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
		},
	],
};
