import { rules, withOptions, type Field } from '../field';

/** Returns the parameters for fields that the API never returns, so that an update cannot keep them (docs/decisions.md, A8). */
export function hiddenFields(updated: Field): Field[] {
	const hidden = withOptions([updated]).filter((each) => each[rules]?.isNeverReturned);
	const labels = hidden.map(({ displayName }) => displayName).join(', ');
	const displayOptions = { show: { keepOtherFields: [true] } };
	return [
		{
			displayName: `n8n cannot read these fields of a member, so an update could clear them: ${labels}. Add each one to 'Update Fields' with its value from the member's profile, or leave it empty there if the profile has none.`,
			name: 'hiddenFieldsNotice',
			type: 'notice',
			default: '',
			displayOptions,
		},
		{
			displayName: 'Unreadable Fields',
			name: 'hiddenFields',
			type: 'options',
			default: 'refuse',
			description: "What to do if you don't add one of these fields",
			options: [
				{
					name: 'Allow Clearing',
					value: 'clear',
					description: "Update anyway, even if fields you don't add lose their values",
				},
				{
					name: 'Require All',
					value: 'refuse',
					description: "Refuse the update unless each field is added to 'Update Fields'",
				},
			],
			displayOptions,
		},
	];
}
