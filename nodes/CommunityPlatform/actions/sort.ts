import type { Field } from '../input/field';

/**
 * The order of a listing, as a collection named `sort`.
 *
 * @param defaultOrder the API's default direction
 * @param sortBy the parameter with the fields to sort by
 */
export function sortCollection(defaultOrder: 'asc' | 'desc', sortBy: Field): Field {
	return {
		displayName: 'Sort',
		name: 'sort',
		type: 'collection',
		placeholder: 'Add sort option',
		default: {},
		options: [
			{
				displayName: 'Direction',
				name: 'order',
				type: 'options',
				default: defaultOrder,
				options: [
					{ name: 'Ascending', value: 'asc' },
					{ name: 'Descending', value: 'desc' },
				],
				routing: { send: { type: 'query', property: 'order' } },
			},
			sortBy,
		],
	};
}
