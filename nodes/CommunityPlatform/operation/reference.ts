import type { NamedKind } from '../../shared/records/named';

/** What a user gave in place of an identifier; only the API knows which one that is. */
export type Reference =
	// The label is that of the parameter in the editor.
	| { to: 'name'; kind: NamedKind; name: string; label: string }
	// A member by the number alone, where the API takes an msid only.
	| { to: 'userId'; userId: string }
	// The member whose API key it is.
	| { to: 'me' };

/** A value that is known once what it refers to has been looked up. */
export class Referring {
	/**
	 * @param references what is to be looked up
	 * @param valueOf the value, from the identifiers in the order of the references; throws a Failure
	 */
	constructor(
		readonly references: Reference[],
		readonly valueOf: (ids: string[]) => unknown,
	) {}
}

/** An identifier, or what is to be looked up for it. */
export type IdOrReference = string | Reference;

/**
 * The value that comes of identifiers: at once, if none of them has to be looked up.
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
