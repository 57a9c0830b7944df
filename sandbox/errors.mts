import { randomUUID } from 'node:crypto';

/** Names of the HTTP statuses (docs/api/README.md, "Errors"). */
const STATUS_NAMES: Record<number, string> = {
	400: 'BAD_REQUEST',
	403: 'FORBIDDEN',
	404: 'NOT_FOUND',
	405: 'METHOD_NOT_ALLOWED',
	409: 'CONFLICT',
	418: 'I_AM_A_TEAPOT',
	429: 'TOO_MANY_REQUESTS',
	500: 'SERVER_ERROR',
	503: 'SERVICE_UNAVAILABLE',
};

/** A refusal, answered as the API's error body. */
export class ApiError extends Error {
	constructor(
		readonly status: number,
		text: string,
	) {
		super(text);
	}
}

/**
 * The API's error body. The message consists of a code like ERR_V1, a separator and the text. A status without a
 * documented name becomes SERVER_ERROR.
 */
export function errorBody(status: number, text: string) {
	return {
		id: randomUUID(),
		status: STATUS_NAMES[status] ?? 'SERVER_ERROR',
		time: new Date().toISOString(),
		message: `ERR_V1${status} | ${text}`,
	};
}

/** Returns the record with this id. Throws a 404 that names the kind of record and the id. */
export function found<T>(records: ReadonlyMap<number, T>, id: number | string, kind: string): T {
	const record = records.get(Number(id));
	if (record === undefined) throw new ApiError(404, `no ${kind} has the id ${id}`);
	return record;
}
