import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/**
 * A parameter, and where it has to be another one on the variant of the node that is used as a tool, both of them, each
 * shown on its variant. n8n makes the type of a model's argument of the type of a parameter and asks for a value
 * (docs/decisions.md, E25): JSON must not be empty there, and a switch cannot be left as it is. As text, both can.
 */
export function withToolVariant(field: INodeProperties): INodeProperties[] {
	const variant = toolVariantOf(field);
	if (variant === field) return [field];
	// Hidden rather than not shown: an n8n that does not know the condition goes on showing the first one.
	return [on('hide', field), on('show', variant)];
}

function toolVariantOf(field: INodeProperties): INodeProperties {
	if (field.type === 'json') return asText(field, 'Give JSON as text.');
	if (field.type !== 'collection') return field;
	const options = (field.options ?? []) as INodeProperties[];
	const isUpdate = field.name === 'updateFields';
	// Rows in a collection are for a person, who fills in all of them in one go.
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
