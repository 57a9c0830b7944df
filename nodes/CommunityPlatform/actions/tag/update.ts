import { propertyHint } from '../../../shared/builder/hints';
import { tag } from '../../../shared/records/types';
import { toNumberIfExact } from '../../input/numbers';
import type { Operation } from '../operation';
import { tagLocator } from '../locators';
import { keepOtherFields, updateFields } from '../collections';
import { name, optionalFields } from './fields';

const [backColor, description, image, ...others] = optionalFields;

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update tag by ID or name',
	description: 'Change the details of a tag',
	builderHint: propertyHint('For a tag that exists. Where it may be missing, choose upsert.'),
	request: { method: 'PUT', url: '/tags/{tagId}' },
	strategy: 'replace',
	record: tag,
	identify: ({ values }) => ({ tag_id: toNumberIfExact(values.tagId) }),
	fields: [
		tagLocator,
		keepOtherFields,
		updateFields([backColor, description, image, name, ...others]),
	],
};
