import { board } from '../../../shared/records/types';
import type { Operation } from '../operation';
import { additionalFields } from '../collections';
import {
	about,
	boardName,
	hiddenType,
	icon,
	isPrivate,
	needsApproval,
	permissionFor,
} from './fields';

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create board by name',
	description: 'Create a new board',
	request: { method: 'POST', url: '/boards' },
	strategy: 'one',
	record: board,
	fields: [
		boardName,
		isPrivate,
		hiddenType,
		permissionFor,
		needsApproval,
		additionalFields([about, icon]),
	],
};
