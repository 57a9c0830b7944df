import { jsonParse } from 'n8n-workflow';
import { cellOf } from '../../input/given';
import { idOrName, LookUp, type Reference } from '../../input/identifiers';
import { badValue, isBlank, isMap, rowsOf, wholeNumber } from '../../input/values';
import { boardLocator } from '../locators';
import type { Operation } from '../operation';
import { rules, type ReadValue } from '../../input/field';

const boardRows: ReadValue = (value, label) => {
	const rows = rowsOf(value, label, 'boards', '{ "boards": [{ "boardId": "42" }] }');
	const boards = rows.map((row) => {
		const { value: board, mode } = cellOf(isMap(row) ? row : { boardId: row }, 'boardId', 'Board');
		return idOrName('board', board, 'Board', mode);
	});
	return ordered(boards, label);
};

/** A map of board ID or name to position, or a list in order, which may be text. */
const boardPositions: ReadValue = (value, label) => {
	const given = typeof value === 'string' ? listOrMapIn(value) : value;
	if (Array.isArray(given) && !given.some(isMap)) {
		return ordered(
			given.map((board) => idOrName('board', board, label)),
			label,
		);
	}
	if (!isMap(given)) {
		const advice = `Give the boards in their order, e.g. Events, Announcements, or a map such as { "12": 1, "7": 2 }, in '${label}'.`;
		const isBroken = typeof given === 'string';
		throw badValue(label, isBroken ? 'is not valid JSON' : 'is no list of boards', advice);
	}
	const boards = Object.keys(given).map((board) => idOrName('board', board, label));
	const positions = Object.values(given).map((each) => wholeNumber(1)(each, label) as number);
	if (new Set(positions).size !== positions.length) {
		throw badValue(
			label,
			'gives a position twice',
			`Give each board its own position in '${label}', starting at 1.`,
		);
	}
	return ordered(boards, label, positions);
};

export const reorder: Operation = {
	name: 'Reorder',
	value: 'reorder',
	action: 'Reorder boards',
	description: 'Change the order in which boards are shown',
	request: { method: 'PATCH', url: '/boards/reorder' },
	strategy: { name: 'reorder' },
	acknowledged: { values: ({ body }) => ({ display_order: body.display_order }) },
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
			[rules]: { read: boardRows },
		},
		{
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
			[rules]: { read: boardPositions },
		},
	],
};

function listOrMapIn(text: string): unknown {
	if (/^\s*[[{]/.test(text)) return jsonParse(text, { fallbackValue: text });
	const parts = text.split(/[,;\n]/).filter((part) => !isBlank(part));
	// "Ideas: 1, News: 2" is a map.
	const pairs = parts.map((part) => /^(.*):\s*(\d+)\s*$/.exec(part));
	if (pairs.length === 0 || pairs.includes(null)) return parts;
	return Object.fromEntries(pairs.map((pair) => [pair?.[1], pair?.[2]]));
}

// In their order, unless positions are given.
function ordered(
	boards: Array<string | Reference>,
	label: string,
	positions = boards.map((_board, at) => at + 1),
): unknown {
	if (boards.length === 0) {
		throw badValue(label, 'names no board', `Name at least one board in '${label}'.`);
	}
	return LookUp.of(boards, (ids) => {
		if (new Set(ids).size === ids.length) {
			return Object.fromEntries(ids.map((id, at) => [id, positions[at]]));
		}
		throw badValue(label, 'names a board twice', `Name each board once in '${label}'.`);
	});
}
