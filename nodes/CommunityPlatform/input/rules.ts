import type { INodePropertyOptions } from 'n8n-workflow';
import type { Field } from './field';
import { meaning } from './field';
import type { ReadValue } from './values';
import { hexColor, jsonObject, oneOf, text, truth, wholeNumber } from './values';

/**
 * How to read a parameter: its own `read`, otherwise by its type.
 *
 * @returns undefined if there is neither
 */
export function ruleFor(field: Field): ReadValue | undefined {
	return field[meaning]?.read ?? ruleOfType(field);
}

function ruleOfType({ type, options = [], typeOptions = {} }: Field): ReadValue | undefined {
	switch (type) {
		case 'string':
			return text;
		case 'boolean':
			return truth;
		case 'number':
			// Without bounds in the editor there are none to name when it is out of them.
			if (typeOptions.minValue === undefined) return undefined;
			return wholeNumber(typeOptions.minValue, typeOptions.maxValue);
		case 'color':
			return hexColor;
		case 'json':
			return jsonObject;
		case 'options':
			return oneOf(options as INodePropertyOptions[]);
		default:
			return undefined;
	}
}
