import type { Field } from '../input/field';
import type { Operation } from './operation';
import { optionsFieldOf } from './options';
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
	// `hide`, not `show`: a version of n8n that does not know the condition still shows the parameter.
	displayOptions: { hide: { '@tool': [true] } },
};

/** The parameters of an operation: its own, and those that it shares with others. */
export function fieldsOf(operation: Operation): Field[] {
	const { fields, strategy, record } = operation;
	return [
		...fields,
		...(strategy === 'listing' ? listingFields : []),
		...(record?.simplified ? [simplifyField, outputField, fieldsFieldOf(record)] : []),
		optionsFieldOf(operation),
	];
}
