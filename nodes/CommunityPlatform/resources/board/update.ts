import type { INodeProperties } from 'n8n-workflow';
import { keepOtherFields, updateFields } from '../update';
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

export const fields: INodeProperties[] = [
	boardLocator,
	keepOtherFields(),
	updateFields([about, icon, boardName, needsApproval, isPrivate, hiddenType, permissionFor]),
];
