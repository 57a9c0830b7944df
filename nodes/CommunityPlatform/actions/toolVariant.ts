import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/**
 * The variants of a parameter: one for the node and, if it has to differ there, one for the node used as a tool. n8n
 * derives the type of a model's argument from the type of the parameter and requires a value (docs/decisions.md, E25):
 * JSON must not be empty, and a boolean is always set. As text, both can be left out.
 */
export function withToolVariant(field: INodeProperties): INodeProperties[] {
	const variant = toolVariantOf(field);
	if (variant === field) return [field];
	// `hide`, not `show`: a version of n8n that does not know the condition keeps showing the first one.
	return [on('hide', field), on('show', variant)];
}

function toolVariantOf(field: INodeProperties): INodeProperties {
	if (field.type === 'json') return asText(field, 'Give JSON as text.');
	if (field.type !== 'collection') return field;
	const options = (field.options ?? []) as INodeProperties[];
	const isUpdate = field.name === 'updateFields';
	// A group in a collection is for people, who fill in all of it at once.
	const forModels = options.filter(({ type }) => type !== 'fixedCollection');
	const variants = forModels.map((option) =>
		isUpdate && option.type === 'boolean'
			? asText(option, 'Give true or false.', 'e.g. true')
			: toolVariantOf(option),
	);
	return variants.some((variant, at) => variant !== options[at])
		? { ...field, options: variants }
		: field;
}

function asText(
	field: INodeProperties,
	how: string,
	placeholder = field.placeholder,
): INodeProperties {
	const description = field.description === undefined ? how : `${field.description}. ${how}`;
	return { ...field, type: 'string', default: '', placeholder, description };
}

function on(rule: 'hide' | 'show', field: INodeProperties): INodeProperties {
	const own: IDisplayOptions = field.displayOptions ?? {};
	const displayOptions = { ...own, [rule]: { ...own[rule], '@tool': [true] } };
	return { ...field, displayOptions };
}
