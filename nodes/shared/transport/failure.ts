import type { Failure as Declared } from 'n8n-workflow';

/**
 * The property `failure` of the error that a poll ends with, by which n8n decides when to poll again
 * (docs/decisions.md, E29): soon for a transient cause, but not before the time that the API asked for; after half an
 * hour for any other.
 */
export type BackOff = Declared;

/** What is known about a refused or lost request; unknown parts are left out. */
export interface FailureDetails {
	httpCode?: number;
	/** The API's name of the HTTP status, e.g. NOT_FOUND. */
	status?: string;
	/** The code the API's message begins with, e.g. ERR_V1. */
	code?: string;
	/** The API's identifier of the error, for its support. */
	errorId?: string;
	/** When the API says it happened (ISO 8601). */
	time?: string;
	/** The member that could not be read, of a list of several. */
	msid?: string;
}

/**
 * Every failure that this package raises: bad input, a refused request, an unreachable API. It holds text and codes
 * only, never a request or a header, so that it cannot carry a secret.
 */
export class Failure extends Error {
	/**
	 * @param reason what happened, in the API's own words where there are any. Never empty, because n8n takes an item
	 * with an empty `error` for a success
	 * @param advice what the user can do about it
	 * @param details codes and identifiers, where known
	 * @param backOff when n8n may poll again; never part of an item
	 * @param isUncertain whether the request may have been carried out
	 */
	constructor(
		reason: string,
		readonly advice: string,
		readonly details: FailureDetails = {},
		readonly backOff?: BackOff,
		readonly isUncertain = false,
	) {
		super(reason.trim() === '' ? 'No reason was given' : reason);
		this.name = 'Failure';
	}
}

// The caller may not use it, or this community does not know it.
const DECLINED = [400, 403, 404, 405, 422];

/** Whether the API declined the request itself, so that a different one may succeed. */
export function isDeclined({ details }: Failure): boolean {
	return DECLINED.includes(details.httpCode ?? 0);
}
