import type { Operation } from '../operation';
import { boardLocator } from '../locators';
import type { Field } from '../../input/field';
import { meaning } from '../../input/field';
import { boardPositions, boardRows } from './displayOrder';

const positions: Field = {
	displayName: 'Positions',
	name: 'displayOrder',
	type: 'json',
	required: true,
	default: '{}',
	placeholder: 'e.g. { "12": 1, "7": 2 }',
	description:
		'A map of board ID to position, or a list of board IDs or names in their order; positions start at 1',
	displayOptions: { show: { orderInput: ['json'] } },
	routing: { send: { type: 'body', property: 'display_order' } },
	[meaning]: { read: boardPositions },
};

export const reorder: Operation = {
	name: 'Reorder',
	value: 'reorder',
	action: 'Reorder boards by map or list, rest stays',
	description: 'Change the order in which boards are shown',
	request: { method: 'PATCH', url: '/boards/reorder' },
	strategy: 'reorder',
	valuesSet: ({ body }) => ({ display_order: body.display_order }),
	fields: [
		{
			displayName: 'Specify Order',
			name: 'orderInput',
			type: 'options',
			default: 'list',
			description: 'How to name the boards and their positions',
			options: [
				{
					name: 'Using a List',
					value: 'list',
					description: 'One after another, the first board on top',
				},
				{ name: 'Using JSON', value: 'json', description: 'As a map of board ID to position' },
			],
		},
		{
			displayName: 'Boards',
			name: 'boardOrder',
			type: 'fixedCollection',
			required: true,
			default: {},
			placeholder: 'Add Board',
			description: 'The boards in their new order; the first one becomes position 1',
			typeOptions: { multipleValues: true, sortable: true },
			options: [
				{
					displayName: 'Boards',
					name: 'boards',
					values: [{ ...boardLocator, description: 'The board that comes next' }],
				},
			],
			displayOptions: { show: { orderInput: ['list'] } },
			routing: { send: { type: 'body', property: 'display_order' } },
			[meaning]: { read: boardRows },
		},
		positions,
	],
};
