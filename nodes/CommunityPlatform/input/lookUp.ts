import { Failure, combined } from '../../shared/failure';
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
		const failures: Failure[] = [];
		const found = this.parts.map(async (part) => {
			if (typeof part === 'string') return part;
			return await find(part).catch((error: unknown) => {
				if (!(error instanceof Failure)) throw error;
				failures.push(error);
				return '';
			});
		});
		const ids = await Promise.all(found);
		if (failures.length > 0) throw combined(failures);
		return this.use(ids);
	}
}
