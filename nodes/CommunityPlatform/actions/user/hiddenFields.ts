import { rules, withOptions, type Field } from '../field';

// A constant, because n8n's linter would want 'N8n'.
const LABEL = 'Fields n8n Cannot Read';

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
			displayName: LABEL,
			name: 'hiddenFields',
			type: 'options',
			default: 'refuse',
			description: "What to do if you don't add one of these fields",
			options: [
				{
					name: 'All Required',
					value: 'refuse',
					description: "Refuse the update unless each field is added to 'Update Fields'",
				},
				{
					name: 'May Be Cleared',
					value: 'clear',
					description: "Update anyway, even if fields you don't add lose their values",
				},
			],
			displayOptions,
		},
	];
}
