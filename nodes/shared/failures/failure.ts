import type { Failure as Declared } from 'n8n-workflow';

/**
 * What n8n goes by when it decides when to poll again (n8n's `poll-backoff-policy`, from 2.4x on):
 * the property `failure` of the error that a poll ends with. A cause that time heals is tried again soon,
 * and not before the time that the API asked for; any other one after half an hour.
 */
export type BackOff = Declared;

/** What is known about a refused or lost request; every part is left out when unknown. */
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
}

/**
 * The one kind of failure that this package raises on its own: bad input, a refused request, an
 * unreachable API. It holds text and codes only, never a request or a header, so nothing secret can
 * travel with it.
 */
export class Failure extends Error {
	/**
	 * @param reason what happened; in the API's own words where it gave any. Never left empty, because n8n
	 * takes an item whose `error` is empty for a success
	 * @param advice what the user can do about it
	 * @param details codes and identifiers, where known
	 * @param backOff when a poll may come back, for n8n; never part of an item
	 * @param isUncertain whether what was asked for may have been carried out all the same
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

// Something that the caller may not use, or that this community does not know.
const DECLINED = [400, 403, 404, 405, 422];

/** Whether the API declined what was asked, so that asking for something else may help. */
export function isDeclined({ details }: Failure): boolean {
	return DECLINED.includes(details.httpCode ?? 0);
}
