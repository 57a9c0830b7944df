import { board as record } from '../../../shared/records/types';
import { toNumberIfExact } from '../../input/identifiers';
import { additionalFields, keepOtherFields, updateFields } from '../common';
import { boardLocator } from '../locators';
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
	action: 'Create board by name',
	description: 'Create a new board',
	request: { method: 'POST', url: '/boards' },
	strategy: 'one',
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

const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get board by ID or name',
	description: 'Get the details of one board',
	request: { method: 'GET', url: '/boards/{boardId}' },
	strategy: 'one',
	record,
	fields: [boardLocator],
};

const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many boards',
	description: 'Get a list of boards',
	request: { method: 'GET', url: '/boards' },
	strategy: 'listing',
	record,
	fields: [],
};

const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update board by ID or name',
	description: 'Change the details of a board',
	request: { method: 'PUT', url: '/boards/{boardId}' },
	strategy: 'replace',
	record,
	identify: ({ values }) => ({ board_id: toNumberIfExact(values.boardId) }),
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
	operations: [create, get, getAll, reorder, update, updateMembers],
};
