import type { INodeProperties } from 'n8n-workflow';
import { tagLocator } from '../locators';
import { keepOtherFields, updateFields } from '../update';
import { name, optionalFields } from './fields';

const [backColor, description, image, ...others] = optionalFields;

export const fields: INodeProperties[] = [
	tagLocator,
	keepOtherFields(),
	updateFields([backColor, description, image, name, ...others]),
];
