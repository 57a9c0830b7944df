import type { INodePropertyOptions } from 'n8n-workflow';
import type { Field } from './field';

const TRUE = ['true', '1'];
const FALSE = ['false', '0'];

/**
 * A value from a record, converted to the type that the API documents for a parameter. Some servers send codes as text,
 * or 1 and 0 for booleans, but do not accept these.
 *
 * @param field the parameter that sends it
 * @param value from a record
 * @returns the converted value; the same value if it needs no conversion
 */
export function inApiType({ type, options = [] }: Field, value: unknown): unknown {
	if (typeof value === 'object') return value;
	const written = String(value).trim().toLowerCase();
	switch (type) {
		case 'boolean':
			return TRUE.includes(written) ? true : FALSE.includes(written) ? false : value;
		case 'options': {
			const isCode = (options as INodePropertyOptions[]).some(
				(option) => typeof option.value === 'number',
			);
			return isCode && /^-?\d{1,15}$/.test(written) ? Number(written) : value;
		}
		case 'string':
		case 'color':
			return String(value);
		default:
			return value;
	}
}
