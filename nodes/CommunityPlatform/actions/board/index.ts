import { board as record } from '../../../shared/records/types';
import { additionalFields, listFilters, keepOtherFields, optional, updateFields } from '../common';
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
	effect: 'creates',
	request: { method: 'POST', url: '/boards' },
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

const upsert: Operation = {
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update board',
	description: 'Create a new board, or update the current one if it already exists (upsert)',
	builderHint:
		'Choose this if the board may already exist. It updates the board with this name, or else creates it. It needs no board ID and is safe to repeat.',
	effect: 'creates',
	request: {
		method: 'POST',
		url: '/boards',
		// Defaults of a new board. An existing board keeps the fields that are not set.
		body: { is_private: false, hidden_type: 0, permission_for: 10, needs_approval: false },
	},
	strategy: { name: 'upsert', kind: 'board' },
	record,
	acknowledged: { identifiers: ({ values }) => ({ board_name: values.boardName as string }) },
	fields: [
		{
			...boardName,
			description:
				'Name of the board. If one with this name exists (ignoring case), it is updated and keeps its spelling.',
		},
		additionalFields(
			[about, icon, needsApproval, isPrivate, hiddenType, permissionFor].map(optional),
			"If the board exists, fields you don't set keep their values",
		),
	],
};

const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get board',
	description: 'Retrieve a board by ID or name',
	effect: 'reads',
	request: { method: 'GET', url: '/boards/{boardId}' },
	record,
	fields: [boardLocator],
};

const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many boards',
	description: 'Retrieve a list of boards',
	effect: 'reads',
	request: { method: 'GET', url: '/boards' },
	strategy: {
		name: 'listing',
		// The API has no filter for boards, so the node filters them.
		filter: ({ values: { nameContains: words } }) =>
			words === undefined ? {} : hasWords(words, ['board_name'], 'boards'),
	},
	record,
	fields: [
		listFilters([
			nameContains(
				'e.g. events',
				'Only boards with each of these words in the name, ignoring case and accents',
			),
		]),
	],
};

const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update board',
	description: 'Update a board by ID or name',
	effect: 'sets',
	request: { method: 'PUT', url: '/boards/{boardId}' },
	strategy: { name: 'replace' },
	record,
	fields: [
		boardLocator,
		updateFields([about, icon, boardName, needsApproval, isPrivate, hiddenType, permissionFor]),
		keepOtherFields,
	],
};

export const board: Resource = {
	name: 'Board',
	value: 'board',
	initial: getAll,
	operations: [create, upsert, get, getAll, reorder, update, updateMembers],
};
