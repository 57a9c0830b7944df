import { board } from '../../../shared/records/types';
import { toNumberIfExact } from '../../input/numbers';
import type { Operation } from '../operation';
import { keepOtherFields, updateFields } from '../collections';
import { boardLocator } from '../locators';
import {
	about,
	boardName,
	hiddenType,
	icon,
	isPrivate,
	needsApproval,
	permissionFor,
} from './fields';

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update board by ID or name',
	description: 'Change the details of a board',
	request: { method: 'PUT', url: '/boards/{boardId}' },
	strategy: 'replace',
	record: board,
	identify: ({ values }) => ({ board_id: toNumberIfExact(values.boardId) }),
	fields: [
		boardLocator,
		keepOtherFields,
		updateFields([about, icon, boardName, needsApproval, isPrivate, hiddenType, permissionFor]),
	],
};
