import type { IHttpRequestOptions } from 'n8n-workflow';
import type { ApiRequest } from './request';
import { API_PATH } from './constants';

/**
 * A request to the API as n8n's request helper takes it.
 *
 * @param baseUrl the community's own address
 * @param settings what the user has set, see `toHttpSettings`
 */
export function toHttpOptions(
	baseUrl: string,
	{ method, path, qs, body }: ApiRequest,
	settings: Partial<IHttpRequestOptions>,
): IHttpRequestOptions {
	return {
		method,
		baseURL: baseUrl,
		url: API_PATH + path,
		qs: qs ?? {},
		// Required on every request (docs/api/README.md, "Authentication"); the credential adds the rest.
		headers: { 'Content-Type': 'application/json' },
		body,
		json: true,
		returnFullResponse: true,
		// Otherwise n8n's own wording replaces the API's reason (docs/decisions.md, E5).
		ignoreHttpStatusErrors: true,
		// n8n sends the credential along to wherever a redirect points.
		disableFollowRedirect: true,
		// Last, because V8 is many times faster at copying fields into a literal than at adding fields to a copy.
		...settings,
	};
}
