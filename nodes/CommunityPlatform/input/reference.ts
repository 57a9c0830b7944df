import type { NamedKind } from '../../shared/names';

/** A record by its name; the label is that of the parameter in the editor. */
export interface NameReference {
	to: 'name';
	kind: NamedKind;
	name: string;
	label: string;
	/** Set where a model gave it, which has no controls of the editor. */
	isByModel?: boolean;
}

/** What a user gave instead of an identifier, to be looked up in the API. */
export type Reference =
	| NameReference
	// A member by the number alone, where the API takes an msid only.
	| { to: 'userId'; userId: string }
	// The owner of the API key.
	| { to: 'me' };

/** A value that is known once its references are resolved. */
export class Referring {
	/**
	 * @param references what it refers to
	 * @param valueOf the value, from the identifiers in the order of the references; throws a Failure
	 */
	constructor(
		readonly references: Reference[],
		readonly valueOf: (ids: string[]) => unknown,
	) {}
}

/** An identifier, or what was given instead of it. */
export type IdOrReference = string | Reference;

/**
 * A value made of identifiers: at once where all are known, a `Referring` where some have to be looked up first.
 *
 * @param given identifiers and references
 * @param valueOf makes the value of identifiers alone, in the same order; throws a Failure
 */
export function whenKnown(given: IdOrReference[], valueOf: (ids: string[]) => unknown): unknown {
	const references = given.filter((each) => typeof each === 'object');
	if (references.length === 0) return valueOf(given as string[]);
	return new Referring(references, (ids) => {
		let next = 0;
		return valueOf(given.map((each) => (typeof each === 'string' ? each : ids[next++])));
	});
}
