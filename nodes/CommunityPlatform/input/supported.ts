import type { Field } from './field';
import { meaning } from './field';
import { ruleFor } from './rules';

// Features that only concern the editor, or that `readInput` implements.
const OF_A_FIELD = [
	'displayName',
	'name',
	'type',
	'default',
	'required',
	'placeholder',
	'hint',
	'builderHint',
	'description',
	'options',
	'typeOptions',
	'modes',
	'displayOptions',
	'routing',
];
// The variant of the node that is used as a tool.
const TOOL = '@tool';
const TYPE_OPTIONS = ['rows', 'minValue', 'maxValue'];

/**
 * Refuses features of n8n's routing engine that `readInput` would silently ignore (CONTRIBUTING, "What a field can say").
 *
 * @throws Error naming the parameter and the feature
 */
export function requireSupported(field: Field): void {
	allowOnly(field, '', OF_A_FIELD, field);
	const { show = {}, hide = {}, ...others } = field.displayOptions ?? {};
	allowOnly(field, 'displayOptions.', [], others);
	// n8n does not pass on parameters that are not shown (n8n-workflow, `getNodeParameters`).
	allowOnly(field, 'displayOptions.hide.', [TOOL], hide);
	for (const [name, values] of Object.entries(show)) {
		if (name === TOOL) continue;
		const isPlain = values?.every((value) => typeof value !== 'object');
		if (!/^\w+$/.test(name) || !isPlain)
			throw unsupported(field, `the condition on "${name}" in displayOptions.show`);
	}
	allowOnly(field, 'routing.', ['send'], field.routing);
	allowOnly(field, 'routing.send.', ['type', 'property'], field.routing?.send);
	if (field.type === 'collection') {
		for (const option of (field.options ?? []) as Field[]) requireSupported(option);
		return;
	}
	if (!ruleFor(field))
		throw unsupported(field, `the type "${field.type}" without a way to read it`);
	// A field with its own `read` handles any value.
	if (!field[meaning]?.read) allowOnly(field, 'typeOptions.', TYPE_OPTIONS, field.typeOptions);
}

function allowOnly(field: Field, path: string, allowed: string[], value: object = {}): void {
	const other = Object.keys(value).find((key) => !allowed.includes(key));
	if (other !== undefined) throw unsupported(field, path + other);
}

function unsupported(field: Field, feature: string): Error {
	return new Error(`The parameter "${field.name}" has ${feature}, which is not supported here`);
}
