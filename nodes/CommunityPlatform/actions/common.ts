import type { INodePropertyOptions } from 'n8n-workflow';
import type { Operation } from './operation';
import { chosenFields, optionsFieldOf } from './options';
import { rules, type Field } from './field';
import { NOT_AS_TOOL, outputFields } from '../tool/parameters';

/** Returns a field for text that is sent in the body as `property`. `rest` has what else it needs. */
export function textField(
	displayName: string,
	name: string,
	property: string,
	rest: Partial<Field>,
): Field {
	const routing = { send: { type: 'body', property } } as const;
	return { displayName, name, type: 'string', default: '', ...rest, routing };
}

/** The switch between changing some fields of a record and replacing it (docs/decisions.md, A8). */
export const keepOtherFields: Field = {
	displayName: 'Keep Other Fields',
	name: 'keepOtherFields',
	type: 'boolean',
	default: true,
	description:
		"Whether to keep fields you don't set. If off, the API may clear them, because an update replaces the whole record.",
};

/** Returns the collection of the fields to change. `options` are sorted by label. */
export function updateFields(options: Field[]): Field {
	return {
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add field',
		default: {},
		description: 'The fields to update',
		// n8n marks a node as incomplete for a required field even while the field has not been added.
		options: options.map((option) => ({
			...optional(option),
			// A default, such as the language of new members, would be sent unnoticed.
			...(option.type === 'string' ? { default: '' } : {}),
		})),
	};
}

/** Returns a field that can be left out, with a note if the API requires it. */
export function optional(field: Field): Field {
	const requiredInUpdate = field.required || field[rules]?.requiredInUpdate;
	const inUpdate = { ...field[rules], requiredInUpdate };
	return { ...field, required: false, [rules]: inUpdate };
}

/** Returns the collection of the optional fields. `options` are sorted by label, and `description` applies to all of them. */
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

/** Which records are listed or counted. */
export function listFilters(options: Field[]): Field {
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		options,
	};
}

/** Returns the collection that sorts a list: its defaults and the options. */
export function sortCollection(
	defaultOrder: 'asc' | 'desc',
	by: string,
	options: INodePropertyOptions[],
	description?: string,
): Field {
	const sortBy: Field = {
		displayName: 'Sort By',
		name: 'sortBy',
		type: 'options',
		default: by,
		...(description === undefined ? {} : { description }),
		options,
		routing: { send: { type: 'query', property: 'sort_by' } },
	};
	return {
		displayName: 'Sort',
		name: 'sort',
		type: 'collection',
		placeholder: 'Add sort option',
		default: {},
		options: [
			{
				displayName: 'Direction',
				name: 'order',
				type: 'options',
				default: defaultOrder,
				options: [
					{ name: 'Ascending', value: 'asc' },
					{ name: 'Descending', value: 'desc' },
				],
				routing: { send: { type: 'query', property: 'order' } },
			},
			sortBy,
		],
	};
}

const listingFields: Field[] = [
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

/** Shown if a record can have more than ten fields. */
const simplifyField: Field = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
	displayOptions: NOT_AS_TOOL,
};

/** The parameters that an operation shares with others. */
export function sharedFieldsOf(operation: Operation): Field[] {
	const { strategy, record } = operation;
	return [
		...(strategy?.name === 'listing' ? listingFields : []),
		...(record?.simplified ? [simplifyField, ...outputFields(chosenFields(operation))] : []),
		optionsFieldOf(operation),
	];
}
