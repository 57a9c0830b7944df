import type { IDataObject } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import type { Failure } from '../../../shared/failures/failure';
import { idOrName, numberIn, numericId } from '../../operation/identifiers';
import { locatorMode, locatorValue } from '../../operation/locator';
import { whenKnown } from '../../operation/reference';
import { cellOf, rowsOf } from '../../operation/rows';
import type { ReadValue } from '../../operation/values';
import { badValue, jsonObject, wholeNumber } from '../../operation/values';

/** The order of boards as rows of the editor: the first becomes position 1. */
export const boardRows: ReadValue = (value, label) => {
	const rows = rowsOf(value, label, 'boards', '{ "boards": [{ "boardId": "42" }] }');
	const boards = rows.map((row) => {
		const cell = cellOf(row, 'boardId');
		return idOrName('board', locatorValue(cell) ?? '', 'Board', locatorMode(cell));
	});
	return whenKnown(boards, (ids) => inOrder(ids, label));
};

/** The order of boards as a map of board id to position, or as a list of their ids or names. */
export const boardPositions: ReadValue = (value, label) => {
	const given = typeof value === 'string' ? jsonParse(value, { fallbackValue: value }) : value;
	return Array.isArray(given) ? orderedBoards(given, label) : positionsIn(value, label);
};

function positionsIn(value: unknown, label: string): IDataObject {
	const positions = Object.entries(jsonObject(value, label) as IDataObject).map(
		([id, position]) =>
			[
				numericId(id, label, 'board ID', numberIn(label)),
				wholeNumber(1)(position, label) as number,
			] as const,
	);
	if (new Set(positions.map(([id]) => id)).size !== positions.length) throw boardTwice(label);
	if (new Set(positions.map(([, position]) => position)).size !== positions.length) {
		throw badValue(
			label,
			'gives a position twice',
			`Give each board its own position in "${label}", starting at 1.`,
		);
	}
	return requireBoards(Object.fromEntries(positions), label);
}

function orderedBoards(list: unknown[], label: string): unknown {
	const boards = list.map((each) => idOrName('board', each ?? '', label, 'either'));
	return whenKnown(boards, (ids) => inOrder(ids, label));
}

function inOrder(ids: string[], label: string): IDataObject {
	if (new Set(ids).size !== ids.length) throw boardTwice(label);
	return requireBoards(Object.fromEntries(ids.map((id, index) => [id, index + 1])), label);
}

function boardTwice(label: string): Failure {
	return badValue(label, 'names a board twice', `Name each board once in "${label}".`);
}

function requireBoards<T extends object>(map: T, label: string): T {
	if (Object.keys(map).length === 0) {
		throw badValue(label, 'names no board', `Name at least one board in "${label}".`);
	}
	return map;
}
