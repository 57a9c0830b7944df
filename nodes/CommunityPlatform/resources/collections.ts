import type { Field } from '../operation/field';
import { meaning } from '../operation/field';

const KEEPING =
	'Whether to keep the fields that are not given below. The API replaces the whole record, so the node reads it first and sends its present values along.';

/**
 * The switch between changing some fields of a record and replacing it (contract, decision 8).
 *
 * @param exceptions what cannot be kept for this kind of record, as sentences
 */
export function keepOtherFields(...exceptions: string[]): Field {
	return {
		displayName: 'Keep Other Fields',
		name: 'keepOtherFields',
		type: 'boolean',
		default: true,
		description: [KEEPING, ...exceptions].join(' '),
	};
}

/**
 * The collection of fields to change.
 *
 * @param options the fields, in alphabetical order of their labels; those that the API requires of an
 * update are required
 */
export function updateFields(options: Field[]): Field {
	return {
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add field',
		default: {},
		description: 'The fields to change',
		// n8n holds a required field against the node even while nobody has added it.
		options: options.map((option) => ({
			...option,
			required: false,
			[meaning]: { ...option[meaning], isNeeded: option.required },
		})),
	};
}

/**
 * The collection of fields that can be given or left out.
 *
 * @param options the fields, in alphabetical order of their labels
 * @param description what else is to be said of all of them
 */
export function additionalFields(options: Field[], description?: string): Field {
	return {
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add field',
		default: {},
		...(description === undefined ? {} : { description }),
		options,
	};
}
