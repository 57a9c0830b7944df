import { WITHOUT_VALUE } from '../../input/readInput';
import { listOf, oneOf } from '../../input/values';
import { rules, withOptions, type Field } from '../../input/field';
import { NOT_AS_TOOL } from '../options';

const WITHOUT = 'Without a Value';

/** What to do about fields that no read shows, so that an update cannot keep them (docs/decisions.md, A8). */
export function hiddenFields(updated: Field): Field[] {
	const hidden = withOptions([updated]).filter((each) => each[rules]?.isNeverShown);
	const labels = hidden.map(({ displayName }) => displayName).join(', ');
	const displayOptions = { show: { keepOtherFields: [true] } };
	return [
		{
			displayName: `What the API shows is kept. These fields it does not show: ${labels}. Open the member's profile in the community, and add each of them under 'Update Fields' as it is there. Choose those that are empty in the profile in "${WITHOUT}". If one is left out, nothing is sent, unless 'May Be Cleared' is chosen below.`,
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

/** The option that names the fields which are empty, of the `hidden` ones in alphabetical order of their labels. */
export function withoutValue(hidden: Field[]): Field {
	const options = hidden.map(({ displayName, name }) => ({ name: displayName, value: name }));
	return {
		displayName: WITHOUT,
		name: WITHOUT_VALUE,
		type: 'multiOptions',
		default: [],
		description:
			"Which of the fields that the API does not show are empty in the member's profile. A word such as none in the field itself would be saved.",
		options,
		// A model would list the fields that a refusal names.
		...NOT_AS_TOOL,
		[rules]: { read: listOf(oneOf(options)) },
	};
}
