import type { Field } from '../operation/field';
import type { Operation } from '../operation/operation';
import { fieldsFieldOf, outputField } from './toolOutput';

/** How much of a listing is wanted. */
export const listingFields: Field[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		default: 50,
		typeOptions: { minValue: 1 },
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

/** Shown where a record can have more than ten fields. */
export const simplifyField: Field = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
	// Hidden rather than not shown: an n8n that does not know the condition goes on showing it.
	displayOptions: { hide: { '@tool': [true] } },
};

/** How requests are sent and what comes back; on every operation. */
export const optionsField: Field = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Include Empty Fields',
			name: 'includeEmptyFields',
			type: 'boolean',
			default: true,
			description:
				'Whether to add the documented fields that the API leaves out when they are empty, with null as their value. Simplified records always have all their fields.',
		},
		{
			displayName: 'Max Requests at Once',
			name: 'maxRequestsAtOnce',
			type: 'number',
			default: 50,
			typeOptions: { minValue: 1, maxValue: 200 },
			description:
				'How many requests to the API may be under way at the same time. The node lowers the number by itself when the API is busy or gets slower. With 1, requests are sent strictly one after another.',
		},
		{
			displayName: 'Max Retries',
			name: 'maxRetries',
			type: 'number',
			default: 5,
			typeOptions: { minValue: 0, maxValue: 100 },
			description:
				'How often a request is sent again when the API is busy or cannot be reached for a moment. A request that creates a record is only sent again when it is certain that nothing was created.',
		},
	],
};

const includeRoleName: Field = {
	displayName: 'Include Role Name',
	name: 'includeRoleName',
	type: 'boolean',
	default: false,
	description:
		'Whether to add the name of the role beside its ID, as role_name. The roles are listed once for each run.',
};

/** The same, on operations whose items have a role. */
export const optionsFieldWithRole: Field = {
	...optionsField,
	options: [...(optionsField.options as Field[]), includeRoleName].sort((a, b) =>
		a.displayName.localeCompare(b.displayName),
	),
};

/** The parameters of an operation: its own, and those that it shares with others. */
export function fieldsOf({ fields, strategy, record, hasRole }: Operation): Field[] {
	return [
		...fields,
		...(strategy === 'listing' ? listingFields : []),
		...(record?.simplified ? [simplifyField, outputField, fieldsFieldOf(record)] : []),
		hasRole ? optionsFieldWithRole : optionsField,
	];
}
