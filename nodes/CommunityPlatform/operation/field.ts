import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Failure } from '../../shared/failures/failure';
import type { ReadValue } from './values';

/** Under this key the description of a parameter carries what n8n has no place for, and does not see. */
export const meaning = Symbol('meaning');

/** What a parameter means to the API. */
export interface Meaning {
	/** How its value becomes what the API takes; as the parameter's type says unless given. */
	read?: ReadValue;
	/** The value used when the parameter is left empty. */
	whenEmpty?: string;
	/** The failure for a key of its value that another parameter has given already, where both fill the same map. */
	givenTwice?(key: string, label: string): Failure;
	/** Once it is added to its collection, an expression has to give it a value. */
	mustBeGiven?: boolean;
	/** It names one record. */
	isIdentifier?: boolean;
	/** The API refuses an update without it (api/openapi.yaml). */
	isNeeded?: boolean;
	/**
	 * It gives other fields of its collection, below a key of its value: by name, with what clears each, and the name of
	 * the list of those that are to have no value.
	 */
	stands?: { key: string; without: string; cleared: IDataObject };
	/** No answer to a read shows it, so that an update cannot keep it. */
	isNeverShown?: boolean;
	/**
	 * How an update keeps it: what to send, from the record as it is; undefined where the record does not
	 * tell. The field that the parameter sends, unless given. Throws a Failure when nothing that is sent
	 * would leave it as it is.
	 */
	keep?(record: IDataObject): unknown;
	/** Whether two of its values mean the same to the API, where that is not told by its type. */
	isSame?(a: unknown, b: unknown): boolean;
}

/** A parameter: as n8n describes it, and what it means to the API. */
export interface Field extends INodeProperties {
	[meaning]?: Meaning;
}

/** Fields with those that their collections hold, in place of the collections. */
export function withOptions(fields: Field[]): Field[] {
	return fields.flatMap((each) =>
		each.type === 'collection' ? ((each.options ?? []) as Field[]) : each,
	);
}

/** The keys from a body or query down to what a field sends: `authors[0]` is authors, then 0. */
export function keysOf(property: string): string[] {
	return property.split(/[.[\]]+/).filter((key) => key !== '');
}
