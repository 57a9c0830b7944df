import type { INodeProperties } from 'n8n-workflow';
import { sortCollection } from '../sort';

export const fields: INodeProperties[] = [
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
];
