import type { Field } from '../operation/field';
import { meaning, withOptions } from '../operation/field';

/** The switch between changing some fields of a record and replacing it (docs/decisions.md, A8). */
export const keepOtherFields: Field = {
	displayName: 'Keep Other Fields',
	name: 'keepOtherFields',
	type: 'boolean',
	default: true,
	description:
		'Whether to keep the fields that are not given below. The API replaces the whole record, so the node reads it first and sends its current values along.',
};

/**
 * Whether an update may clear the fields that it cannot keep, because no answer to a read shows them
 * (docs/decisions.md, A8).
 *
 * @param updated the collection of fields to change
 */
export function hiddenFields(updated: Field): Field[] {
	const hidden = withOptions([updated]).filter((each) => each[meaning]?.isNeverShown);
	const labels = hidden.map(({ displayName }) => displayName).join(', ');
	const displayOptions = { show: { keepOtherFields: [true] } };
	return [
		{
			displayName: `The API does not show these fields of a record, so an update cannot keep them: ${labels}. Give each of them under "Update Fields", with its value or empty, or let those that you leave out be cleared.`,
			name: 'hiddenFieldsNotice',
			type: 'notice',
			default: '',
			displayOptions,
		},
		{
			displayName: 'Fields the API Does Not Show',
			name: 'hiddenFields',
			type: 'options',
			default: 'refuse',
			description: 'What to do when one of them is not given',
			options: [
				{
					name: 'Let Them Be Cleared',
					value: 'clear',
					description: 'Their values are lost',
				},
				{
					name: 'Refuse to Clear Them',
					value: 'refuse',
					description: 'Nothing is sent unless each of them is given, or given as empty',
				},
			],
			displayOptions,
		},
	];
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
		// n8n marks a node as incomplete for a required field even while the field has not been added.
		options: options.map((option) => ({
			...option,
			// A default, such as the language of new users, would be sent without the user noticing it.
			...(option.type === 'string' ? { default: '' } : {}),
			required: false,
			[meaning]: { ...option[meaning], isNeeded: option.required },
		})),
	};
}

/**
 * The collection of fields that can be given or left out.
 *
 * @param options the fields, in alphabetical order of their labels
 * @param description a sentence about all of them, if any
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
