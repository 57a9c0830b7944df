import { WITHOUT_VALUE } from '../../input/readInput';
import { listOf, oneOf } from '../../input/values';
import { rules, withOptions, type Field } from '../../input/field';
import { NOT_AS_TOOL } from '../options';

const WITHOUT = 'Without a Value';

/** Returns the parameters for fields that the API never returns, so that an update cannot keep them (docs/decisions.md, A8). */
export function hiddenFields(updated: Field): Field[] {
	const hidden = withOptions([updated]).filter((each) => each[rules]?.isNeverShown);
	const labels = hidden.map(({ displayName }) => displayName).join(', ');
	const displayOptions = { show: { keepOtherFields: [true] } };
	return [
		{
			displayName: `An update can clear these fields, because the API does not return them: ${labels}. To keep them, copy each one from the member's profile into 'Update Fields', or select it in '${WITHOUT}' if it is empty there.`,
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
			description: "What to do if you don't set one of these fields",
			options: [
				{
					name: 'May Be Cleared',
					value: 'clear',
					description: "Update anyway, even if fields you don't set lose their values",
				},
				{
					name: 'Must Be Set',
					value: 'refuse',
					description: `Refuse the update unless each of these fields is set or selected in '${WITHOUT}'`,
				},
			],
			displayOptions,
		},
	];
}

/** Returns the option that selects the empty ones of the `hidden` fields, which are sorted by label. */
export function withoutValue(hidden: Field[]): Field {
	const options = hidden.map(({ displayName, name }) => ({ name: displayName, value: name }));
	return {
		displayName: WITHOUT,
		name: WITHOUT_VALUE,
		type: 'multiOptions',
		default: [],
		description:
			'The fields that are empty in the member\'s profile. Do not enter a word such as "none" instead, because it would be saved.',
		options,
		// A model would select every field that a refusal names.
		...NOT_AS_TOOL,
		[rules]: { read: listOf(oneOf(options)) },
	};
}
