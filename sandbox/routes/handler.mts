import type { Community } from '../community.mts';
import type { Form } from '../forms.mts';

/** A request that matches the API's description, with defaults filled in. */
export interface Call<Params = unknown, Query = unknown, Body = unknown> {
	params: Params;
	query: Query;
	body: Body;
	community: Community;
}

/** The answer of a handler: a record in the API's form, a list to be paged, or nothing (204). */
export type Answer = object | Listing | undefined;

/**
 * Carries out one operation. Throws ApiError to refuse. `never`, because each handler names what its
 * own operation's description guarantees.
 */
export type Handler = (call: Call<never, never, never>) => Answer;

/** All records of a list, before paging. */
export class Listing<T = unknown> {
	constructor(
		readonly records: readonly T[],
		private readonly form: Form<T>,
	) {}

	/** The records from `start` up to, but not including, `end`, in the API's form. */
	slice(start: number, end: number): object[] {
		return this.records.slice(start, end).map(this.form);
	}
}

/** The answer of changes without a record to return. */
export const OK = { message: 'OK' } as const;
