import { answeredAt, statusNamedIn, unexpectedIn, type Unexpected } from './answer';
import type { HttpAnswer, ApiRequest, Method } from './api';

/**
 * The outcome of one attempt of a request:
 * - `answered`: carried out;
 * - `refused`: certainly not carried out;
 * - `lost`: unknown whether it was carried out;
 * - `neverSent`: it did not reach the API.
 */
export interface Outcome {
	kind: 'answered' | 'refused' | 'lost' | 'neverSent';
	/** Whether it is transient: the same request may succeed a moment later. */
	isTransient: boolean;
	/** Milliseconds until the API wants to be asked again, from Retry-After. */
	retryAfterMs?: number;
	/** Of the answer, if one came; of an error body of the API with a success status, the one that it names. */
	status?: number;
	/** Set if the status is a success, but the answer is not what was asked for. */
	unexpected?: Unexpected;
}

// From 520 on: Cloudflare's for an origin that gave nothing usable, or took too long (its documentation, "5xx errors").
const TRANSIENT = [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524];
// Statuses below 500 that leave open whether the request was carried out: redirects to its result (303 and 302, RFC
// 9110, section 15.4), time-outs, 425, and what gateways answer when the client has left (460, 499).
const UNCERTAIN = [302, 303, 408, 425, 460, 499];
// The network in between asks for a login (RFC 6585, section 6).
const NEVER_PASSED_ON = 511;

/** The outcome of a request that was answered, for retries and for the advice (docs/decisions.md, A10 to A12). */
export function outcomeOf(
	request: Pick<ApiRequest, 'method' | 'expects'>,
	answer: HttpAnswer,
): Outcome {
	const { statusCode, body } = answer;
	const status = isSuccess(statusCode) ? (statusNamedIn(body) ?? statusCode) : statusCode;
	if (isSuccess(status)) {
		const unexpected = unexpectedIn(request, answer);
		// Cut off on its way, which another read may not be.
		const isTransient = unexpected === 'unreadable' && request.method === 'GET';
		return { kind: unexpected ? 'lost' : 'answered', isTransient, status, unexpected };
	}
	const isTransient = TRANSIENT.includes(status);
	const isRefused =
		(status < 500 && !UNCERTAIN.includes(status)) ||
		status === NEVER_PASSED_ON ||
		isRefusedBeforeWork(answer, status);
	const waitMs = isTransient ? retryAfterMs(answer.headers) : undefined;
	return { kind: isRefused ? 'refused' : 'lost', isTransient, retryAfterMs: waitMs, status };
}

function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

// Pages that gateways write themselves, before they have passed a request on: nginx for what `limit_req` and `limit_conn`
// refuse (ngx_http_special_response.c; an upstream that cannot be reached gives 502 or 504), and HAProxy "when no server
// was available to handle the request" (configuration manual, section 1.3.1).
const GATEWAY_PAGE =
	/^<html>\s*(<head><title>503 Service Temporarily Unavailable<\/title><\/head>\s*<body[^>]{0,20}>\s*<center><h1>503 Service Temporarily Unavailable<\/h1><\/center>\s*<hr><center>(nginx|openresty)[^<]{0,40}<\/center>|<body><h1>503 Service Unavailable<\/h1>\s*No server is available to handle this request\.)\s*<\/body>\s*<\/html>\s*(<!-- a padding[^>]* -->\s*)*$/i;
// Headers of an answer that came through something else, or from a program behind the gateway.
const PASSED_ON = ['via', 'age', 'x-powered-by'];

// Retry-After alone is also sent after a time-out, when the API is at work already (docs/decisions.md, A12).
function isRefusedBeforeWork(answer: HttpAnswer, status: number): boolean {
	const { statusCode, headers, body } = answer;
	if (status !== 503) return false;
	if (typeof body !== 'string') {
		return retryAfterMs(headers) !== undefined && statusNamedIn(body) === 503;
	}
	const isPassedOn = PASSED_ON.some((name) => name in headers);
	return statusCode === 503 && !isPassedOn && GATEWAY_PAGE.test(body);
}

const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;
// The user is told of a longer pause, because a run that waits for it seems to hang.
const LONGEST_OBEYED_WAIT_MS = 10 * 60_000;

/** Whether a pause is too long to be kept: later requests are refused in turn, so that the run ends soon. */
export function isTooLong(pauseMs: number | undefined): pauseMs is number {
	return (pauseMs ?? 0) > LONGEST_OBEYED_WAIT_MS;
}

/**
 * How long to wait before the next attempt: Retry-After, or exponential backoff with jitter. Undefined to give up: a
 * retry cannot help, or it could apply the request twice.
 *
 * @param earlier how many attempts were made before this one
 */
export function nextWaitMs(
	{ kind, isTransient, retryAfterMs }: Outcome,
	method: Method,
	earlier: number,
	random = Math.random,
): number | undefined {
	const isRetryable = isTransient && (kind !== 'lost' || method !== 'POST');
	if (!isRetryable || isTooLong(retryAfterMs)) return undefined;
	// Zero is a moment that has passed, perhaps by this machine's clock only.
	if (retryAfterMs) return retryAfterMs;
	const most = Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** earlier);
	// "Full jitter" (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/) after a refusal, so that
	// many do not come back together. A server that is down needs some seconds: at least half of the range.
	const isFullJitter = kind === 'refused' && retryAfterMs === undefined;
	const from = isFullJitter ? 0 : most / 2;
	return from + random() * (most - from);
}

/** The milliseconds of Retry-After (RFC 9110, section 10.2.3): zero for a moment that has passed, undefined without. */
export function retryAfterMs(headers: HttpAnswer['headers']): number | undefined {
	const value = String(headers['retry-after'] ?? '').trim();
	// Nobody asks to wait for years.
	if (/^\d{1,8}(\.\d+)?$/.test(value)) return Number(value) * 1000;
	// Date.parse accepts almost anything, also "-1" and "wait 3".
	const date = value.endsWith(' GMT') ? Date.parse(value) : NaN;
	const ms = date - answeredAt({ headers });
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
