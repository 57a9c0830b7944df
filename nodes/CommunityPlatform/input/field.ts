import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Failure } from '../../shared/transport/failure';
import type { ReadValue } from './values';

/** The key of a parameter's {@link Meaning}; a symbol, so that n8n does not see it. */
export const meaning = Symbol('meaning');

/** What n8n's description of a parameter has no place for. */
export interface Meaning {
	/** Reads its value into the API's type; by the parameter's type unless given. */
	read?: ReadValue;
	/** The value used when the parameter is left empty. */
	whenEmpty?: string;
	/** The failure for a key that another parameter has given, too, when both fill the same map of the API. */
	givenTwice?(key: string, label: string): Failure;
	/** Whether an expression for it must have a result, once it has been added to its collection. */
	mustBeGiven?: boolean;
	/** Whether it identifies one record. */
	isIdentifier?: boolean;
	/** Whether the API requires it in an update (docs/api/openapi.yaml). */
	isNeeded?: boolean;
	/**
	 * Set if it holds other fields of its collection: the key of its value under which they are, the value that clears
	 * each, and the name of the list in which the user chooses the fields to clear.
	 */
	group?: { key: string; without: string; cleared: IDataObject };
	/** Whether no answer to a read shows it, so that an update cannot keep it. */
	isNeverShown?: boolean;
	/**
	 * The value that an update sends to keep it, from the present record; undefined if the record does not show it. Unless
	 * given, the record's field of the same name. Throws a Failure when no value would keep it.
	 */
	keep?(record: IDataObject): unknown;
	/** Whether two of its values mean the same to the API; by its type unless given. */
	isSame?(a: unknown, b: unknown): boolean;
}

/** A parameter: n8n's description, and its {@link Meaning}. */
export interface Field extends INodeProperties {
	[meaning]?: Meaning;
}

/** Fields, with collections replaced by their options. */
export function withOptions(fields: Field[]): Field[] {
	return fields.flatMap((each) =>
		each.type === 'collection' ? ((each.options ?? []) as Field[]) : each,
	);
}

/** The path of a field in a body or query as keys: `authors[0]` becomes authors and 0. */
export function keysOf(property: string): string[] {
	return property.split(/[.[\]]+/).filter((key) => key !== '');
}
