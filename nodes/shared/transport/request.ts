import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import type { RecordType } from '../records/types';

/**
 * What a request does when it is sent again: nothing (safe), no more than the first time (idempotent), or it may create
 * another record (creating).
 */
export type Idempotency = 'safe' | 'idempotent' | 'creating';

/**
 * The documented answer to a request that succeeds (docs/api/openapi.yaml): a record, with this identifier where the
 * request names one, a page of records, or an acknowledgement where neither is documented.
 */
export type Expected =
	{ record: RecordType; id?: string } | { list: RecordType } | 'acknowledgement';

/** One request to the API, before it becomes an HTTP request. */
export interface ApiRequest {
	method: IHttpRequestMethods;
	/** What sending it again does, which decides whether it is retried. */
	idempotency: Idempotency;
	/** Below `API_PATH`, identifiers filled in and encoded. */
	path: string;
	qs?: IDataObject;
	body?: IDataObject;
	/** The answer to a success; anything else is none. */
	expects: Expected;
	/** By body or query field, the label of its parameter in the editor, for advice. */
	labels?: Record<string, string>;
	/** What the user can do when the API answers that a unique value is taken. */
	adviceIfTaken?: string;
	/** The parameters that hold identifiers, with their values, for advice. */
	identifiers?: Identifier[];
}

/** A parameter that names a record. */
export interface Identifier {
	label: string;
	value: string;
	/** What the editor showed where it was picked from a list. */
	picked?: string;
}

/**
 * What HTTP promises of a method (RFC 9110, section 9.2), for requests of which no more is known. PATCH counts as
 * idempotent (docs/decisions.md, A12), an unknown method as creating, which is retried least.
 */
export function idempotencyOf(method: string): Idempotency {
	if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return 'safe';
	return ['PUT', 'PATCH', 'DELETE'].includes(method) ? 'idempotent' : 'creating';
}
