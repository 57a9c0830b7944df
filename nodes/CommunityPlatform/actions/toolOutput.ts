import type { RecordType } from '../../shared/records/types';
import { selectableFields } from '../../shared/records/output';
import type { Field } from '../input/field';
import { meaning } from '../input/field';
import { listOf, oneOf } from '../input/values';

// What n8n sets to true on the variant of a node that is used as a tool (n8n-workflow, `displayParameter`).
const AS_TOOL = { '@tool': [true] };

/** The fields of a tool's answer, where a record can have more than ten; in place of Simplify. */
export const outputField: Field = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	default: 'simplified',
	description:
		'How much of each record the model gets. The less it gets, the better it finds what it needs.',
	displayOptions: { show: AS_TOOL },
	options: [
		{ name: 'Raw', value: 'raw', description: 'All fields, as the API gives them' },
		{
			name: 'Selected Fields',
			value: 'selectedFields',
			description: 'Only the ID and the fields that you choose',
		},
		{ name: 'Simplified', value: 'simplified', description: 'The ten most useful fields' },
	],
};

const fieldsFields = new Map<RecordType, Field>();

/** The fields to choose from for {@link outputField}; the same object for the same kind of record. */
export function fieldsFieldOf(record: RecordType): Field {
	const known = fieldsFields.get(record);
	if (known) return known;
	const options = selectableFields(record)
		.map((name) => ({ name: labelOf(name), value: name }))
		.sort(byLabel);
	const field: Field = {
		displayName: 'Fields',
		name: 'fields',
		type: 'multiOptions',
		default: [],
		description: 'What the model gets of each record, beside its ID',
		displayOptions: { show: { ...AS_TOOL, output: ['selectedFields'] } },
		options,
		[meaning]: { read: listOf(oneOf(options)) },
	};
	fieldsFields.set(record, field);
	return field;
}

function labelOf(name: string): string {
	const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
	return words.join(' ').replace(/\bId\b/g, 'ID');
}

function byLabel(a: { name: string }, b: { name: string }): number {
	return a.name.localeCompare(b.name);
}
