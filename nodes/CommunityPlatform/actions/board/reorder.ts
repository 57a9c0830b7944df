import { jsonParse } from 'n8n-workflow';
import { cellOf } from '../../input/entered';
import { idOrName, LookUp, type Reference } from '../../input/identifiers';
import { badValue, isMap, rowsOf, wholeNumber } from '../../../shared/values';
import { boardLocator } from '../locators';
import type { Operation } from '../operation';
import { rules, type Convert } from '../field';

const boardRows: Convert = (value, label) => {
	const rows = rowsOf(value, label, 'boards', '{ "boards": [{ "boardId": "42" }] }');
	const boards = rows.map((row) => {
		const { value: board, mode } = cellOf(isMap(row) ? row : { boardId: row }, 'boardId', 'Board');
		return idOrName('board', board, 'Board', mode);
	});
	return ordered(boards, label);
};

/** Reads a map of board IDs or names to positions, or a list of boards in order. Both can be text. */
const boardPositions: Convert = (value, label) => {
	const order: unknown =
		typeof value === 'string' ? jsonParse(value, { fallbackValue: value }) : value;
	if (Array.isArray(order) && !order.some(isMap)) {
		return ordered(
			order.map((board) => idOrName('board', board, label)),
			label,
		);
	}
	if (!isMap(order)) {
		const advice = `Enter the boards in order in '${label}', e.g. ["Events", "Announcements"], or their positions, e.g. { "12": 1, "7": 2 }.`;
		const isBroken = typeof order === 'string';
		throw badValue(label, isBroken ? 'is not valid JSON' : 'is not a list of boards', advice);
	}
	const boards = Object.keys(order).map((board) => idOrName('board', board, label));
	const positions = Object.values(order).map((each) => wholeNumber(1)(each, label) as number);
	if (new Set(positions).size !== positions.length) {
		throw badValue(
			label,
			'uses the same position twice',
			`Enter a different position for each board in '${label}', starting at 1.`,
		);
	}
	return ordered(boards, label, positions);
};

export const reorder: Operation = {
	name: 'Reorder',
	value: 'reorder',
	action: 'Reorder boards',
	description: 'Change the order of the boards',
	effect: 'sets',
	request: { method: 'PATCH', url: '/boards/reorder' },
	strategy: { name: 'reorder' },
	acknowledged: { values: ({ body }) => ({ display_order: body.display_order }) },
	fields: [
		{
			displayName: 'Specify Order',
			name: 'orderInput',
			type: 'options',
			default: 'list',
			description: 'How to enter the boards and their positions',
			options: [
				{ name: 'Using a List', value: 'list', description: 'One board after another, in order' },
				{ name: 'Using JSON', value: 'json', description: 'Board IDs with their positions' },
			],
		},
		{
			displayName: 'Boards',
			name: 'boardOrder',
			type: 'fixedCollection',
			required: true,
			default: {},
			placeholder: 'Add board',
			description: 'The boards in their new order. The first one gets position 1.',
			typeOptions: { multipleValues: true, sortable: true },
			options: [
				{
					displayName: 'Boards',
					name: 'boards',
					values: [{ ...boardLocator, description: 'The next board in the order' }],
				},
			],
			displayOptions: { show: { orderInput: ['list'] } },
			routing: { send: { type: 'body', property: 'display_order' } },
			[rules]: { convert: boardRows },
		},
		{
			displayName: 'Positions',
			name: 'displayOrder',
			type: 'json',
			required: true,
			default: '{}',
			placeholder: 'e.g. { "12": 1, "7": 2 }',
			description: 'Board IDs with their positions from 1, or board IDs or names in order',
			displayOptions: { show: { orderInput: ['json'] } },
			routing: { send: { type: 'body', property: 'display_order' } },
			[rules]: { convert: boardPositions },
		},
	],
};

// By default, the positions follow the order of the boards.
function ordered(
	boards: Array<string | Reference>,
	label: string,
	positions = boards.map((_board, at) => at + 1),
): unknown {
	if (boards.length === 0) {
		throw badValue(label, 'has no boards', `Enter at least one board in '${label}'.`);
	}
	return LookUp.of(boards, (ids) => {
		if (new Set(ids).size === ids.length) {
			return Object.fromEntries(ids.map((id, at) => [id, positions[at]]));
		}
		throw badValue(
			label,
			'lists the same board twice',
			`Enter each board only once in '${label}'.`,
		);
	});
}
