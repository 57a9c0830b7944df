import type { INodeProperties } from 'n8n-workflow';
import {
	about,
	boardName,
	hiddenType,
	icon,
	isPrivate,
	needsApproval,
	permissionFor,
} from './fields';

export const fields: INodeProperties[] = [
	{ ...boardName, required: true },
	{ ...isPrivate, required: true },
	{ ...hiddenType, required: true },
	{ ...permissionFor, required: true },
	{ ...needsApproval, required: true },
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add field',
		default: {},
		options: [about, icon],
	},
];
