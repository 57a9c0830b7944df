import { propertyHint } from '../../../shared/builder/hints';
import { tag } from '../../../shared/records/types';
import type { Operation } from '../../operation/operation';
import { additionalFields } from '../collections';
import { name, optionalFields } from './fields';

export const upsert: Operation = {
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update tag by name',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	builderHint: propertyHint(
		'Choose this to bring tags in step with a table, or whenever a tag may or may not exist: the tag of this name is changed, else created. It needs no tag ID and is safe to repeat.',
	),
	request: { method: 'POST', url: '/tags' },
	strategy: 'upsertTag',
	record: tag,
	identify: ({ values }) => ({ name: values.name as string }),
	fields: [
		{
			...name,
			description:
				'Name of the tag, like a hashtag. A tag with exactly this name, whatever its case, is updated; otherwise a new one is created.',
		},
		additionalFields(
			optionalFields,
			'What is not given keeps its value when the tag exists already',
		),
	],
};
