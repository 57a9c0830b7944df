import { propertyHint } from '../../../shared/builder/hints';
import { tag } from '../../../shared/records/types';
import type { Operation } from '../operation';
import { additionalFields } from '../collections';
import { name, optionalFields } from './fields';

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create tag by name',
	description: 'Create a new tag',
	builderHint: propertyHint(
		'The API refuses a name that exists already. Unless the tag is certain to be new, choose upsert.',
	),
	request: { method: 'POST', url: '/tags' },
	strategy: 'one',
	record: tag,
	adviceIfTaken: 'Use Create or Update to change it.',
	fields: [name, additionalFields(optionalFields)],
};
