import type { Field } from '../operation/field';
import { meaning } from '../operation/field';

// What n8n sets to true on the variant of a node that is used as a tool (n8n-workflow, `displayParameter`). An n8n that
// does not know the condition shows what is hidden by it, and not what is shown by it.
const AS_TOOL = { '@tool': [true] };

/** The condition by which a parameter is there for a tool only. */
export const shownAsTool: Field['displayOptions'] = { show: AS_TOOL };

/**
 * A parameter with its variant for a tool, where it needs one: n8n makes every argument of a tool required, and of JSON
 * and of yes and no arguments that cannot be left empty. As text they can.
 *
 * @param field a parameter, or a collection of them
 * @returns the parameter alone where a tool can have it as it is
 */
export function withToolVariant(field: Field): Field[] {
	const variant = toText(field);
	if (variant === field) return [field];
	return [
		{ ...field, displayOptions: { ...field.displayOptions, hide: AS_TOOL } },
		{
			...variant,
			displayOptions: {
				...field.displayOptions,
				show: { ...field.displayOptions?.show, ...AS_TOOL },
			},
			[meaning]: { ...variant[meaning], isToolVariant: true },
		},
	];
}

function toText(field: Field): Field {
	if (field.type === 'collection') {
		const options = (field.options ?? []) as Field[];
		// Rows in it are for a person, who fills them in one go.
		const texts = options.filter(({ type }) => type !== 'fixedCollection').map(toText);
		const isSame =
			texts.length === options.length && texts.every((each, at) => each === options[at]);
		return isSame ? field : { ...field, options: texts };
	}
	if (field.type === 'boolean') {
		return {
			...field,
			type: 'string',
			default: '',
			placeholder: 'e.g. true',
			hint: 'Empty leaves it as it is',
			description: `${field.description}: true or false`,
		};
	}
	if (field.type === 'json') return { ...field, type: 'string', default: '' };
	return field;
}
