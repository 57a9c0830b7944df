import { jsonParse } from 'n8n-workflow';
import type { Failure } from '../../../shared/transport/failure';
import { BY_MODEL, EITHER, idOrName, numberIn, numericId } from '../../input/identifiers';
import { locatorMode, locatorValue } from '../../input/locator';
import { whenKnown } from '../../input/reference';
import { cellOf, rowsOf } from '../../input/rows';
import type { ReadValue } from '../../input/values';
import { badValue, isMap, wholeNumber } from '../../input/values';

/** The order of boards as rows of the editor: the first becomes position 1. */
export const boardRows: ReadValue = (value, label) => {
	const rows = rowsOf(value, label, 'boards', '{ "boards": [{ "boardId": "42" }] }');
	const boards = rows.map((row) => {
		const cell = cellOf(row, 'boardId');
		return idOrName('board', locatorValue(cell) ?? '', 'Board', locatorMode(cell));
	});
	return whenKnown(boards, (ids) => {
		if (new Set(ids).size !== ids.length) throw boardTwice(label);
		return requireBoards(Object.fromEntries(ids.map((id, index) => [id, index + 1])), label);
	});
};

/**
 * The order of boards as a map of board id to position, or as a list of ids or names, the first of which becomes
 * position 1; a list may be text, separated by commas or line breaks. A model may use names in the map, too.
 */
export const boardPositions: ReadValue = (value, label, mode) => {
	const given = typeof value === 'string' ? listOrMapIn(value) : value;
	if (Array.isArray(given)) return inOrder(given, label, mode ?? EITHER);
	if (!isMap(given)) {
		const advice = `Give a map such as { "12": 1, "7": 2 } or a list such as [4, 1] in "${label}".`;
		const isBroken = typeof given === 'string';
		throw badValue(label, isBroken ? 'is not valid JSON' : 'is neither a map nor a list', advice);
	}
	const entries = Object.entries(given);
	const boards = entries.map(([board]) =>
		mode === BY_MODEL
			? idOrName('board', board, label, mode)
			: numericId(board, label, 'board ID', numberIn(label)),
	);
	const positions = entries.map(([, position]) => wholeNumber(1)(position, label) as number);
	if (new Set(positions).size !== positions.length) {
		throw badValue(
			label,
			'gives a position twice',
			`Give each board its own position in "${label}", starting at 1.`,
		);
	}
	return whenKnown(boards, (ids) => {
		if (new Set(ids).size !== ids.length) throw boardTwice(label);
		return requireBoards(Object.fromEntries(ids.map((id, at) => [id, positions[at]])), label);
	});
};

function listOrMapIn(text: string): unknown {
	if (/^\s*[[{]/.test(text)) return jsonParse(text, { fallbackValue: text });
	return text.split(/[,\n]/).filter((board) => board.trim() !== '');
}

function inOrder(boards: unknown[], label: string, mode: string): unknown {
	const named = boards.map((board) => idOrName('board', board ?? '', label, mode));
	return whenKnown(named, (ids) => {
		if (new Set(ids).size !== ids.length) throw boardTwice(label);
		return requireBoards(Object.fromEntries(ids.map((id, at) => [id, at + 1])), label);
	});
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
