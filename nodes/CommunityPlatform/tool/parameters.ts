import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import type { Field } from '../actions/field';

// What n8n sets to true on the variant of a node that is used as a tool (n8n-workflow, `displayParameter`).
const AS_TOOL = { '@tool': [true] };

/** Hides a parameter from a model. `hide`, not `show`, so that an n8n that does not know the condition shows it. */
export const NOT_AS_TOOL = { hide: AS_TOOL } satisfies IDisplayOptions;

/** Replaces 'Simplify', as n8n's guidelines ask. */
const outputField: Field = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	default: 'simplified',
	description:
		'How much of each record the model gets. Less data makes it easier for the model to find what it needs.',
	displayOptions: { show: AS_TOOL },
	options: [
		{ name: 'Raw', value: 'raw', description: 'All fields, as the API returns them' },
		{
			name: 'Selected Fields',
			value: 'selectedFields',
			description: 'Only the ID and the fields that you choose',
		},
		{ name: 'Simplified', value: 'simplified', description: 'The ten most useful fields' },
	],
};

/** The parameters that decide what a model gets. `fields` is the option of the node that selects fields. */
export function outputFields(fields: Field): Field[] {
	const description = 'The fields the model gets for each record, besides the ID';
	const displayOptions = { show: { ...AS_TOOL, output: ['selectedFields'] } };
	return [outputField, { ...fields, description, displayOptions }];
}

/**
 * Returns a parameter and, if it needs one, its variant for the node as a tool. A model has to pass every argument in the
 * type of the parameter (docs/decisions.md, E25). JSON and booleans become text there, because only text can be empty.
 */
export function withToolVariant(field: INodeProperties): INodeProperties[] {
	const variant = toolVariantOf(field);
	return variant === field ? [field] : [on('hide', field), on('show', variant)];
}

function toolVariantOf(field: INodeProperties): INodeProperties {
	if (field.type === 'json') return asTextParameter(field, 'Enter JSON as text.');
	if (field.type === 'boolean' && field.routing?.send) {
		const text = asTextParameter(field, 'Enter true or false.');
		return { ...text, default: field.required ? String(field.default) : '' };
	}
	if (field.type !== 'collection') return field;
	const options = (field.options ?? []) as INodeProperties[];
	const variants = options.map(toolVariantOf);
	const isSame = variants.every((variant, at) => variant === options[at]);
	return isSame ? field : { ...field, options: variants };
}

function asTextParameter(field: INodeProperties, how: string): INodeProperties {
	const said = field.description?.replace(/\.$/, '');
	const description = said === undefined ? how : `${said}. ${how}`;
	return { ...field, type: 'string', default: '', description };
}

function on(rule: 'hide' | 'show', field: INodeProperties): INodeProperties {
	const own: IDisplayOptions = field.displayOptions ?? {};
	return { ...field, displayOptions: { ...own, [rule]: { ...own[rule], ...AS_TOOL } } };
}
