import { allOf } from '../../shared/failure';
import type { NamedKind } from '../../shared/names';
import type { PersonKey } from './addresses';

/**
 * A record by anything but its identifier, which only the API knows; of a user, `id` is the number alone, or "me". The
 * label is that of the parameter.
 */
export type Reference =
	| { kind: NamedKind; by: 'name'; text: string; label: string }
	| { kind: 'user'; by: 'id' | PersonKey; text: string; label: string };

/** A value with references in it: looked up after all items were read, so that nothing is sent for a bad value. */
export class LookUp {
	private constructor(
		private readonly parts: ReadonlyArray<string | Reference>,
		private readonly use: (ids: string[]) => unknown,
	) {}

	/** What `use` makes of the identifiers, at once if all are known; otherwise a LookUp. */
	static of(parts: Array<string | Reference>, use: (ids: string[]) => unknown): unknown {
		const isKnown = parts.every((part) => typeof part === 'string');
		return isKnown ? use(parts) : new LookUp(parts, use);
	}

	/** @throws Failure that names all that were not found, and what `find` and `use` throw */
	async value(find: (reference: Reference) => Promise<string>): Promise<unknown> {
		const ids = await allOf(
			this.parts.map(async (part) => (typeof part === 'string' ? part : await find(part))),
		);
		return this.use(ids);
	}
}
