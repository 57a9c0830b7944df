import type { IDataObject } from 'n8n-workflow';
import type { RecordType } from '../records/types';

/**
 * The methods of the API, by which a request is retried: GET changes nothing, PUT and PATCH no more when sent again than the
 * first time (docs/decisions.md, A12), POST may create another record.
 */
export type Method = 'GET' | 'PATCH' | 'POST' | 'PUT';

/**
 * The documented answer to a request that succeeds (docs/api/openapi.yaml): a record, with this identifier where the
 * request names one, a page of records, or an acknowledgement where neither is documented.
 */
export type Expected =
	{ record: RecordType; id?: string } | { list: RecordType } | 'acknowledgement';

/** One request to the API, before it becomes an HTTP request. */
export interface ApiRequest {
	method: Method;
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
