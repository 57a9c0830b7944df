import { tag } from '../../../shared/records/types';
import type { Operation } from '../../operation/operation';
import { additionalFields } from '../collections';
import { name, optionalFields } from './fields';

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create a tag',
	description: 'Create a new tag',
	request: { method: 'POST', url: '/tags' },
	way: 'one',
	record: tag,
	adviceIfTaken: 'Use Create or Update to change it.',
	fields: [name, additionalFields(optionalFields)],
};
