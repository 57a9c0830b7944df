import { isRecord, isWebPage } from '../nodes/shared/exchange/answer.ts';
import { compileAt } from '../sandbox/openapi.mts';
import type { Answer } from './visitor.mts';

const isError = compileAt('/components/schemas/Error');

/** Whether an answer is one of success. */
export function isSuccess({ status }: Pick<Answer, 'status'>): boolean {
	return status >= 200 && status < 300;
}

/** Whether a body is the error that api/openapi.yaml documents. */
export function isDocumentedError(body: unknown): boolean {
	return isError(body);
}

/**
 * Says in a few words what came back, without its contents.
 *
 * @returns e.g. `403 FORBIDDEN`, `200, a web page`
 */
export function described({ status, headers, body }: Answer): string {
	const named = isDocumentedError(body) ? ` ${(body as { status: string }).status}` : '';
	if (named !== '') return `${status}${named}`;
	if (isWebPage({ statusCode: status, headers, body })) return `${status}, a web page`;
	if (status >= 300 && status < 400) return `${status}, a redirect`;
	if (body === '') return `${status}, an empty body`;
	if (Array.isArray(body)) {
		return `${status}, a list${body.every(isRecord) ? '' : ' of what are no JSON objects'}`;
	}
	return `${status}, ${isRecord(body) ? 'a JSON object' : 'no JSON object'}`;
}
