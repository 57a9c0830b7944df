import { selectableFields } from '../../shared/records/output';
import { trimmed } from '../../shared/text';
import * as records from '../../shared/records/types';
import { rolesIn } from '../input/identifiers';
import { listOf, oneOf } from '../input/values';
import {
	canCompare,
	detailOf,
	isWriting,
	namesMember,
	showsRole,
	type Operation,
} from './operation';
import { rules, type Field, type ReadValue } from '../input/field';

const includeEmptyFields: Field = {
	displayName: 'Include Empty Fields',
	name: 'includeEmptyFields',
	type: 'boolean',
	default: true,
	description:
		'Whether to add the documented fields that the API leaves out when they are empty, with null as their value. Simplified records always have all their fields.',
};

const maxRequestsAtOnce: Field = {
	displayName: 'Max Requests at Once',
	name: 'maxRequestsAtOnce',
	type: 'number',
	default: 50,
	typeOptions: { minValue: 1, maxValue: 200 },
	description:
		'How many requests to the API may be under way at the same time. The node lowers the number by itself when the API is busy. With 1, requests are sent strictly one after another.',
};

const maxRetries: Field = {
	displayName: 'Max Retries',
	name: 'maxRetries',
	type: 'number',
	default: 5,
	typeOptions: { minValue: 0, maxValue: 100 },
	description:
		'How often a request is sent again when the API is busy or cannot be reached for a moment. A request that creates a record is only sent again when it is certain that nothing was created.',
};

const includeRoleName: Field = {
	displayName: 'Include Role Name',
	name: 'includeRoleName',
	type: 'boolean',
	default: true,
	description:
		'Whether to add the name of the role beside its ID, as role_name. The roles are listed once for each run.',
};

const includeDetails: Field = {
	displayName: 'Include Details',
	name: 'includeDetails',
	type: 'boolean',
	default: true,
	description:
		'Whether to read each user of the list, for the number of posts and the email address. This takes one more request for each user.',
};

const dryRun: Field = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: true,
	description:
		'Whether to show what each item would change instead of changing it. Turn it off to make the changes.',
};

const skipUnchanged: Field = {
	displayName: 'Skip Unchanged',
	name: 'skipUnchanged',
	type: 'boolean',
	default: true,
	description:
		'Whether to read the record first and to send the change only if it differs. Each item says in "changed" whether it was sent, so a run that was cut off can simply run again.',
};

const IF_NOT_FOUND = [
	{ name: 'Fail', value: 'fail', description: 'The item has a reason, or the workflow stops' },
	{
		name: 'Leave Out',
		value: 'leaveOut',
		description: 'No item is returned, and a hint names the members who were not found',
	},
];

const ifNotFound: Field = {
	displayName: 'If Not Found',
	name: 'ifNotFound',
	type: 'options',
	default: 'fail',
	description: 'What to do if the community has no such member',
	options: IF_NOT_FOUND,
};

// As everywhere in n8n, one can be chosen or named by an expression; the label has no room for it.
const FROM_API = { loadOptionsMethod: 'getRoles' };

const onlyFrom: Field = {
	displayName: 'Only From',
	name: 'onlyFrom',
	type: 'multiOptions',
	default: [],
	typeOptions: FROM_API,
	description:
		'The roles that may be replaced. A member with another role keeps it, e.g. an admin.',
	[rules]: { read: rolesIn },
};

// The editor keeps what was chosen for another operation.
const DOCUMENTED = new Set<unknown>(
	Object.values(records).flatMap((type) => [...type.fields, ...selectableFields(type)]),
);

/** A choice among the fields that the records of an operation can have, by their names in the API. */
export function chosenFields(operation: Operation): Field {
	const forms = [operation.record, detailOf(operation)].filter((form) => form !== undefined);
	const options = [...new Set(forms.flatMap(selectableFields))]
		.map((name) => ({ name: labelOf(name), value: name }))
		.sort((a, b) => a.name.localeCompare(b.name));
	const oneOffered = oneOf(options);
	const read: ReadValue = (value, label) =>
		DOCUMENTED.has(trimmed(value)) ? trimmed(value) : oneOffered(value, label);
	return {
		displayName: 'Fields',
		name: 'fields',
		type: 'multiOptions',
		default: [],
		description: "The fields to return for each record, beside its ID. Overrides 'Simplify'.",
		options,
		[rules]: { read: listOf(read) },
	};
}

/** The label of a field of the API, e.g. "Last Name". */
export function labelOf(name: string): string {
	const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
	return words.join(' ').replace(/\bId\b/g, 'ID');
}

/** Hides an option from a model. `hide`, not `show`: a version of n8n that does not know the condition shows it. */
export const NOT_AS_TOOL: Pick<Field, 'displayOptions'> = {
	displayOptions: { hide: { '@tool': [true] } },
};

const onEvery: Field[] = [maxRequestsAtOnce, maxRetries, includeEmptyFields];

/** The collection "Options" of an operation. */
export function optionsFieldOf(operation: Operation): Field {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		// The options that matter most come first.
		options: [
			...(isWriting(operation) ? [dryRun] : []),
			...(canCompare(operation) ? [skipUnchanged] : []),
			...(detailOf(operation) ? [includeDetails] : []),
			...(operation.strategy.name === 'updateRole' ? [onlyFrom] : []),
			...(namesMember(operation) ? [ifNotFound] : []),
			...(showsRole(operation) ? [includeRoleName] : []),
			// A model has "Output" for it.
			...(operation.record ? [{ ...chosenFields(operation), ...NOT_AS_TOOL }] : []),
			...onEvery,
		],
	};
}
