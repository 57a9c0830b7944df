import { board } from '../../../shared/records/types';
import type { Operation } from '../../operation/operation';
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
	action: 'Create a board',
	description: 'Create a new board',
	request: { method: 'POST', url: '/boards' },
	way: 'one',
	record: board,
	fields: [
		boardName,
		isPrivate,
		hiddenType,
		permissionFor,
		needsApproval,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			options: [about, icon],
		},
	],
};
