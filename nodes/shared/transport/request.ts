import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import type { Expected } from './expected';
import type { Repeat } from './repeat';

/** One request to the API, before it becomes an HTTP request. */
export interface ApiRequest {
	method: IHttpRequestMethods;
	/** What sending it again does, which decides whether it is retried. */
	repeat: Repeat;
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
