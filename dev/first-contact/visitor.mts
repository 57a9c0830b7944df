import { setTimeout as sleep } from 'node:timers/promises';
import axios, { type AxiosError } from 'axios';
import { userAgent } from '../../nodes/shared/transport/api.ts';
import { retryAfterMs } from '../../nodes/shared/transport/answer.ts';
import { adviceFor, described, isSuccess } from './refusal.mts';
import { shownUrl } from './shown.mts';

/** Where the community is, and who asks. */
export interface Contact {
	/** The community's own address, without a trailing slash. */
	baseUrl: string;
	sourceSystem: string;
	apiKey: string;
}

/** An answer of the API, whatever its status. */
export interface Answer {
	/** Path and query as they were asked for. */
	url: string;
	status: number;
	/** Names in lower case. */
	headers: Record<string, string>;
	/** Parsed where the text is JSON, the text itself otherwise. */
	body: unknown;
	/** Milliseconds from the request to the whole answer. */
	ms: number;
}

/** How gently to ask. */
export interface Pace {
	/** Milliseconds between an answer and the next request. */
	pauseMs: number;
	/** After so many requests no more are sent. */
	mostRequests: number;
	/** Milliseconds that an answer may take from the request to its last byte; a minute unless given. */
	timeoutMs?: number;
}

/** No answer at all, or one request too many. The message is meant for the person at the terminal. */
export class NoAnswer extends Error {}

const TIMEOUT_MS = 60_000;
const MOST_BYTES = 10_000_000;
const LONGEST_WAIT_MS = 60_000;
const WAIT_MS = 5_000;
const MOST_ATTEMPTS = 3;
const BUSY = [429, 503];
// Where they follow an accepted credential, they say nothing about what was asked for.
const ENDS = [401, ...BUSY];
// A server may close an idle connection in the moment in which a request is sent on it.
const BROKEN = ['ECONNRESET', 'EPIPE'];

/** Reads from a community, one request after another, and keeps every answer. */
export class Visitor {
	/** In the order in which they came; refusals that were repeated included. */
	readonly answers: Answer[] = [];
	/** Requests that were sent, answered or not. */
	requests = 0;

	constructor(
		private readonly contact: Contact,
		private readonly pace: Pace,
	) {}

	/**
	 * Sends one GET request. Waits and repeats it where the API is busy (429, 503), for a minute at most, and repeats
	 * it where a community that has answered before does not (500 and above).
	 *
	 * @param path below the base address, e.g. `/api/v1/users`
	 * @throws NoAnswer when there is none, when a community that has answered before is too busy or refuses the
	 * credential, or when too many requests have been sent
	 */
	async get(path: string, query: Record<string, string | number> = {}): Promise<Answer> {
		const search = new URLSearchParams(
			Object.entries(query).map(([name, value]) => [name, String(value)]),
		).toString();
		const url = search === '' ? path : `${path}?${search}`;
		for (let attempt = 1; ; attempt++) {
			const wasAnswered = this.answers.some(isSuccess);
			const answer = await this.ask(url);
			const { status: statusCode, headers } = answer;
			const isBusy = BUSY.includes(statusCode);
			const waitMs = retryAfterMs(headers) ?? (isBusy ? WAIT_MS : 0);
			const isTransient = isBusy || (wasAnswered && statusCode >= 500);
			if (isTransient && attempt < MOST_ATTEMPTS && waitMs <= LONGEST_WAIT_MS) {
				await sleep(waitMs);
				continue;
			}
			if (wasAnswered && ENDS.includes(statusCode)) {
				throw new NoAnswer(`GET ${shownUrl(url)}: ${described(answer)}${adviceFor(answer)}`);
			}
			return answer;
		}
	}

	private async ask(url: string): Promise<Answer> {
		if (this.requests >= this.pace.mostRequests) {
			throw new NoAnswer(`Stopped after ${this.requests} requests.`);
		}
		if (this.requests > 0) await sleep(this.pace.pauseMs);
		const { baseUrl, sourceSystem, apiKey } = this.contact;
		const { timeoutMs = TIMEOUT_MS } = this.pace;
		const began = performance.now();
		const send = async () => {
			this.requests++;
			return await axios.get<string>(`${baseUrl}${url}`, {
				auth: { username: sourceSystem, password: apiKey },
				headers: { 'content-type': 'application/json', 'user-agent': userAgent(sourceSystem) },
				// The key goes to the address that was given and to no other.
				maxRedirects: 0,
				maxContentLength: MOST_BYTES,
				// Not axios's `timeout`, which an answer that trickles in never reaches.
				signal: AbortSignal.timeout(timeoutMs),
				responseType: 'text',
				transformResponse: (text: string) => text,
				validateStatus: () => true,
			});
		};
		const { status, headers, data } = await send()
			.catch(async (error: AxiosError) => {
				if (!isBroken(error)) throw error;
				await sleep(this.pace.pauseMs);
				return await send();
			})
			.catch((error: AxiosError) => {
				const cause = causeOf(error, timeoutMs);
				throw new NoAnswer(`GET ${shownUrl(url)} got no answer (${cause}).`);
			});
		const answer: Answer = {
			...{ url, status, body: parsed(data), ms: performance.now() - began },
			headers: Object.fromEntries(
				Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
			),
		};
		this.answers.push(answer);
		return answer;
	}
}

function isBroken({ code = '', message }: AxiosError): boolean {
	return BROKEN.includes(code) || message.includes('aborted');
}

// Its own text only: the request that it carries holds the key.
function causeOf(error: AxiosError, timeoutMs: number): string {
	if (error.code === 'ERR_CANCELED') return `not whole after ${timeoutMs / 1000} s`;
	if (isBroken(error)) return 'the connection broke';
	if (error.message.includes('maxContentLength')) {
		return `larger than ${MOST_BYTES / 1_000_000} MB`;
	}
	return error.code ?? error.message;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}
