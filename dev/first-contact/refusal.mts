import { isRecord, isWebPage, retryAfterMs } from '../../nodes/shared/transport/answer.ts';
import { compileAt } from '../../sandbox/openapi.mts';
import type { Answer } from './visitor.mts';

const isError = compileAt('/components/schemas/Error');

/** Whether an answer is one of success. */
export function isSuccess({ status }: Pick<Answer, 'status'>): boolean {
	return status >= 200 && status < 300;
}

/** Whether a body is the error that docs/api/openapi.yaml documents. */
export function isDocumentedError(body: unknown): boolean {
	return isError(body);
}

/**
 * Says in a few words what came back, without its contents.
 *
 * @returns e.g. `403 FORBIDDEN`, `200, a web page`
 */
export function described({ status, body }: Answer): string {
	const named = isDocumentedError(body) ? ` ${(body as { status: string }).status}` : '';
	if (named !== '') return `${status}${named}`;
	if (isWebPage(body)) return `${status}, a web page`;
	if (status >= 300 && status < 400) return `${status}, a redirect`;
	if (body === '') return `${status}, an empty body`;
	if (Array.isArray(body)) {
		return `${status}, a list${body.every(isRecord) ? '' : ' of what are no JSON objects'}`;
	}
	return `${status}, ${isRecord(body) ? 'a JSON object' : 'no JSON object'}`;
}

/** Says what to do about an answer that is none of a community. */
export function adviceFor({ status, headers }: Answer): string {
	if (status === 429 || status >= 500) {
		const waitMs = retryAfterMs(headers);
		return waitMs === undefined
			? '. Come again later'
			: `. Come again in ${Math.ceil(waitMs / 60_000)} minutes, as the answer asks`;
	}
	if (status === 401 || status === 403) return '. Check key and source system';
	if (status >= 300 && status < 400) return '. Give the address that it leads to';
	return '. Check the address: is it that of a community?';
}
