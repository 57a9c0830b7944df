import { tag } from '../../../shared/records/types';
import type { Operation } from '../../operation/operation';
import { name, optionalFields } from './fields';

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create a tag',
	description: 'Create a new tag',
	request: { method: 'POST', url: '/tags' },
	way: 'one',
	record: tag,
	fields: [
		name,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			options: optionalFields,
		},
	],
};
