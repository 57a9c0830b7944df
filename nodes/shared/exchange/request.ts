import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import type { Expected } from './expected';

/** One request to the API, before it becomes an HTTP request. */
export interface ApiRequest {
	method: IHttpRequestMethods;
	/** Below `API_PATH`, identifiers filled in and encoded. */
	path: string;
	qs?: IDataObject;
	body?: IDataObject;
	/** What a success is answered with; anything else is none. */
	expects: Expected;
	/** The label in the editor for each body or query field, so that advice can name the parameter. */
	labels?: Record<string, string>;
	/** What the user can do when the API says that something is taken. */
	adviceIfTaken?: string;
	/** The parameters that hold identifiers, with their values. */
	identifiers?: Identifier[];
}

/** A parameter that names a record. */
export interface Identifier {
	label: string;
	value: string;
}

/**
 * Requests of one kind take about equally long, whichever record they are about.
 *
 * @returns the method and the path, `{}` in place of what names a record: an identifier begins with a
 * digit, and no other part of a path does (api/README.md, "Endpoints")
 */
export function kindOf({ method, path }: Pick<ApiRequest, 'method' | 'path'>): string {
	return `${method} ${path.replace(/\/\d[^/]*/g, '/{}')}`;
}
