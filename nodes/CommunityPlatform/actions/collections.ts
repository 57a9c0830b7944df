import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../input/field';
import { meaning, withOptions } from '../input/field';
import { jsonObject } from '../input/values';

const ALL_HIDDEN = 'All Hidden Fields';
const WITHOUT = 'Without a Value';

/** The switch between changing some fields of a record and replacing it (docs/decisions.md, A8). */
export const keepOtherFields: Field = {
	displayName: 'Keep Other Fields',
	name: 'keepOtherFields',
	type: 'boolean',
	default: true,
	description:
		'Whether to keep the fields that are not given below. The API replaces the whole record, so the node reads it first and sends its current values along.',
};

/** The same for a record of which the API does not show every field. */
export const keepShownFields: Field = {
	...keepOtherFields,
	displayName: 'Keep What the API Shows',
	description:
		'Whether to keep the fields that are not given below, as far as the API shows them. The API replaces the whole record, so the node reads it first and sends its present values along.',
};

/**
 * The parameters about fields that an update cannot keep, because no answer to a read shows them (docs/decisions.md,
 * A8): a notice, and whether they may be cleared.
 *
 * @param updated the collection of fields to change
 */
export function hiddenFields(updated: Field): Field[] {
	const hidden = withOptions([updated]).filter((each) => each[meaning]?.isNeverShown);
	const labels = hidden.map(({ displayName }) => displayName).join(', ');
	const displayOptions = { show: { keepOtherFields: [true] } };
	return [
		{
			displayName: `What the API shows is kept. These fields it does not show: ${labels}. Open the member's profile in the community, add "${ALL_HIDDEN}" under "Update Fields", and copy them from there, with your change. Choose in "${WITHOUT}" those that are empty in the profile. If one is left out, nothing is sent, unless "May Be Cleared" is chosen below.`,
			name: 'hiddenFieldsNotice',
			type: 'notice',
			default: '',
			displayOptions,
		},
		{
			displayName: 'What the API Does Not Show',
			name: 'hiddenFields',
			type: 'options',
			default: 'refuse',
			description: 'What to do about the fields that the API does not show',
			options: [
				{
					name: 'Has to Be Given',
					value: 'refuse',
					description: 'Nothing is sent unless each of them is given, or given as empty',
				},
				{
					name: 'May Be Cleared',
					value: 'clear',
					description: 'Those that are not given lose their values',
				},
			],
			displayOptions,
		},
	];
}

/**
 * The option of an update that holds all fields which the API does not show.
 *
 * @param hidden these fields, in alphabetical order of their labels
 */
export function allHiddenFields(hidden: Field[]): Field {
	const values = hidden.map(startingEmpty);
	const cleared = Object.fromEntries(values.map((field) => [field.name, field.default]));
	const without: Field = {
		displayName: WITHOUT,
		name: 'withoutValue',
		type: 'multiOptions',
		default: [],
		description:
			"Which of these fields are empty in the member's profile. Leave them empty above, too: a word such as none would be saved. Nothing is sent as long as another one is left empty.",
		options: hidden.map(({ displayName, name }) => ({ name: displayName, value: name })),
	};
	return {
		displayName: ALL_HIDDEN,
		name: 'allHiddenFields',
		type: 'fixedCollection',
		placeholder: 'Add Hidden Fields',
		// The editor shows at once every field that has a default here.
		default: { fields: { ...cleared, [without.name]: [] } },
		description:
			"All fields that the API does not show: the new value of what is to change, and the present one of the others, which the member's profile in the community shows",
		options: [{ displayName: ALL_HIDDEN, name: 'fields', values: [...values, without] }],
		[meaning]: {
			read: jsonObject,
			group: { key: 'fields', without: without.name, cleared: cleared as IDataObject },
		},
	};
}

// A default value, such as the language of new users, would be sent without the user noticing it.
function startingEmpty(field: Field): Field {
	return field.type === 'string' ? { ...field, default: '' } : field;
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
