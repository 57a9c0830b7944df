import type { INodePropertyOptions } from 'n8n-workflow';
import type { Field } from './field';

const TRUE = ['true', '1'];
const FALSE = ['false', '0'];

/**
 * A value that the API has shown, in the type that it documents for a parameter. Some servers send codes as text,
 * or 1 and 0 for yes and no, and take neither back.
 *
 * @param field the parameter that sends it
 * @param value from a record
 * @returns the same value where it has no other form in that type
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
