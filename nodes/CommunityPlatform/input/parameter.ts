import type { INodePropertyOptions } from 'n8n-workflow';
import { keysOf, rules, type Field, type FieldRules, type Convert } from './field';
import {
	booleanValue,
	hexColor,
	line,
	objectLike,
	oneOf,
	text,
	wholeNumber,
} from '../../shared/values';

/** A parameter, prepared once for all items. */
export interface Parameter extends FieldRules {
	field: Field;
	label: string;
	convert: Convert;
	/** Where its value is sent, if it is. */
	sentIn?: 'qs' | 'body';
	keys: string[];
	/** The name in the API, e.g. role_id for `data.role_id`. */
	sentAs: string;
	/** The parameters inside a collection; empty for every other type. */
	options: Parameter[];
}

/** Prepares the parameters of an operation. */
export function parametersOf(fields: Field[]): Parameter[] {
	// Only the editor shows notices.
	const converted = fields.filter(({ type }) => type !== 'notice');
	return converted.map((field) => {
		const { property, type } = field.routing?.send ?? {};
		const keys = keysOf(property ?? '');
		return {
			...field[rules],
			field,
			label: field.displayName,
			convert: converterOf(field),
			...(property !== undefined && { sentIn: type === 'query' ? 'qs' : 'body' }),
			keys,
			sentAs: keys.findLast((key) => !/^\d+$/.test(key)) ?? '',
			options: parametersOf(optionsOf(field)),
		};
	});
}

function optionsOf({ type, options = [] }: Field): Field[] {
	return type === 'collection' ? (options as Field[]) : [];
}

/** Returns the converter of a parameter: its own, or else by its type. */
function converterOf(field: Field): Convert {
	const { type, options = [], typeOptions = {} } = field;
	const ownReader = field[rules]?.convert;
	if (ownReader) return ownReader;
	// A model sends JSON text. Anything else would be mistaken for an empty collection.
	const example = optionsOf(field).map(({ name }) => `"${name}": …`);
	switch (type) {
		case 'collection':
			return objectLike(`{ ${example.join(', ')} }`);
		case 'boolean':
			return booleanValue;
		case 'number':
			return wholeNumber(typeOptions.minValue ?? 0, typeOptions.maxValue);
		case 'color':
			return hexColor;
		case 'json':
			return objectLike('{ "key": "value" }');
		case 'options':
			return oneOf(options as INodePropertyOptions[]);
		default:
			// Only prose keeps the white space at its ends.
			return typeOptions.rows ? text : line;
	}
}
