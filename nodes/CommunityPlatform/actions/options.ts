import { selectableFields } from '../../shared/records/form';
import { trimmed } from '../../shared/text';
import * as records from '../../shared/records/types';
import { rolesIn } from '../input/identifiers';
import { listOf, oneOf } from '../../shared/values';
import { canCompare, canReturnOnlyChanged, detailOf, isWriting, type Operation } from './operation';
import { rules, type Field, type Convert } from './field';
import { NOT_AS_TOOL } from '../tool/parameters';

/** Returns an option that is on once it is added. */
function switchOf(displayName: string, name: string, description: string): Field {
	return { displayName, name, type: 'boolean', default: true, description };
}

const includeEmptyFields = switchOf(
	'Include Empty Fields',
	'includeEmptyFields',
	'Whether to add empty fields that the API leaves out, as null. Simplified records always have them. Off unless you add it.',
);

const maxRequestsAtOnce: Field = {
	displayName: 'Max Requests at Once',
	name: 'maxRequestsAtOnce',
	type: 'number',
	default: 50,
	typeOptions: { minValue: 1, maxValue: 200 },
	description:
		'Max number of requests to send at the same time, 50 by default. The node sends fewer if the API is busy.',
};

const maxRetries: Field = {
	displayName: 'Max Retries',
	name: 'maxRetries',
	type: 'number',
	default: 5,
	typeOptions: { minValue: 0, maxValue: 100 },
	description:
		'Max number of retries if the API is busy or cannot be reached, 5 by default. Never creates a record twice.',
};

const includeRoleName = switchOf(
	'Include Role Name',
	'includeRoleName',
	"Whether to add the role's name as 'role_name', with one request per execution",
);

const includeDetails = switchOf(
	'Include Details',
	'includeDetails',
	'Whether to add details such as post count and email address, with one request per member. Off unless you add it.',
);

const dryRun = switchOf(
	'Dry Run',
	'dryRun',
	'Whether to only show what each item would change. Off unless you add it.',
);

const skipUnchanged = switchOf(
	'Skip Unchanged',
	'skipUnchanged',
	"Whether to read each record and send only real changes. The field 'changed' shows what was sent. Off unless you add it.",
);

const onlyChanged = switchOf(
	'Return Only Changed',
	'onlyChanged',
	'Whether to return only items that were created or changed. Off unless you add it.',
);

function ifExists(kind: 'board' | 'tag'): Field {
	return {
		displayName: kind === 'board' ? 'If the Board Exists' : 'If the Tag Exists',
		name: 'ifExists',
		type: 'options',
		default: 'update',
		description: 'What to do with an existing record. Without this option, it is updated.',
		options: [
			{ name: 'Keep', value: 'keep', description: 'Return it as it is' },
			{ name: 'Update', value: 'update', description: 'Change the fields that you set' },
		],
	};
}

const ifNotFound: Field = {
	displayName: 'If Not Found',
	name: 'ifNotFound',
	type: 'options',
	default: 'leaveOut',
	description: 'What to do if the community has no such member, or the field is empty in an item',
	options: [
		{
			name: 'Fail',
			value: 'fail',
			description: "The workflow stops, unless the node's settings let it continue",
		},
		{
			name: 'Leave Out',
			value: 'leaveOut',
			description: 'The member is skipped, and a hint names the members who were not found',
		},
	],
};

// A constant, because n8n's linter would want the label "… Names or IDs", which has no room for the purpose.
const FROM_API = { loadOptionsMethod: 'getRoles' };

const onlyFrom: Field = {
	displayName: 'Only If Role Is',
	name: 'onlyFrom',
	type: 'multiOptions',
	default: [],
	typeOptions: FROM_API,
	description: 'The roles to replace. Members with any other role, such as admins, keep it.',
	[rules]: { convert: rolesIn },
};

// Fields of other operations count, because the editor keeps them when the operation changes.
const DOCUMENTED = new Set<unknown>(
	Object.values(records).flatMap((type) => [...type.fields, ...selectableFields(type)]),
);

// Labels of fields that differ from the API's names, because each field has the label of its parameter.
const LABELS: Record<string, string> = {
	back_color: 'Background Color',
	banner: 'Banner URL',
	display_order: 'Position',
	hidden_type: 'Visible To',
	image: 'Image URL',
	is_private: 'Private',
	lang: 'Language',
	msid: 'Member ID (msid)',
	og_description: 'Open Graph Description',
	og_image: 'Open Graph Image URL',
	og_title: 'Open Graph Title',
	permission_for: 'Who Can Post',
	sid: 'Secondary ID (sid)',
	user: 'Author',
	user_avatar: 'Avatar URL',
	user_description: 'Description',
	user_id: 'Member ID (user_id)',
	user_status: 'Status',
};

/** Returns the option that selects fields of an operation's records, by their names in the API. */
export function chosenFields(operation: Operation): Field {
	const forms = [operation.record, detailOf(operation)].filter((form) => form !== undefined);
	const options = [...new Set(forms.flatMap(selectableFields))]
		.map((name) => ({ name: labelOf(name), value: name }))
		.sort((a, b) => a.name.localeCompare(b.name));
	const oneOffered = oneOf(options);
	const convert: Convert = (value, label) =>
		DOCUMENTED.has(trimmed(value)) ? trimmed(value) : oneOffered(value, label);
	return {
		displayName: 'Fields',
		name: 'fields',
		type: 'multiOptions',
		default: [],
		description: "The fields to return per record, besides its ID. Overrides 'Simplify'.",
		options,
		[rules]: { convert: listOf(convert) },
	};
}

/** Returns the label of a field of the API. */
export function labelOf(name: string): string {
	if (name in LABELS) return LABELS[name];
	const code = name.replace(/_name$/, '');
	if (code in LABELS) return `${LABELS[code]} (Name)`;
	const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
	return words.join(' ').replace(/\bId\b/g, 'ID');
}

const onEvery: Field[] = [maxRequestsAtOnce, maxRetries, includeEmptyFields];

/** The collection "Options" of an operation. */
export function optionsFieldOf(operation: Operation): Field {
	const { strategy } = operation;
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
			...(strategy?.name === 'updateRole' ? [onlyFrom] : []),
			...(strategy?.name === 'upsert' ? [ifExists(strategy.kind)] : []),
			...(operation.leavesOut ? [ifNotFound] : []),
			...(canReturnOnlyChanged(operation) ? [onlyChanged] : []),
			...(operation.hasRole ? [includeRoleName] : []),
			// A tool has 'Output' instead.
			...(operation.record ? [{ ...chosenFields(operation), displayOptions: NOT_AS_TOOL }] : []),
			...onEvery,
		],
	};
}
