import { setTimeout as sleep } from 'node:timers/promises';
import axios, { type AxiosError } from 'axios';
import type { ApiAnswer } from '../../sandbox/openapi.mts';

/** The community, and the key that reads it. */
export interface Contact {
	/** The community's address, without a trailing slash. */
	baseUrl: string;
	sourceSystem: string;
	apiKey: string;
}

/** An answer of the API with any status. */
export interface Answer extends ApiAnswer {
	/** Names in lower case. */
	headers: Record<string, string | undefined>;
	/** Milliseconds from the request to the whole answer. */
	ms: number;
}

/** Thrown if there is no answer. The message is for the person at the terminal. */
export class NoAnswer extends Error {}

const TIMEOUT_MS = 60_000;
const MOST_BYTES = 10_000_000;
const LONGEST_WAIT_S = 60;
const WAIT_S = 5;
const MOST_ATTEMPTS = 3;
const BUSY = [429, 503];

/** Reads from a community, one request at a time. */
export class Community {
	/** The number of requests sent, with or without an answer. */
	requests = 0;
	/** Names of headers about rate limits. */
	readonly limitHeaders = new Set<string>();

	/** @param pauseMs milliseconds between two requests */
	constructor(
		private readonly contact: Contact,
		private readonly pauseMs: number,
	) {}

	/**
	 * Sends one GET request. If the API is busy (429, 503), repeats it after the time that the API asks for, a minute at
	 * most.
	 *
	 * @param path below the base address
	 * @throws NoAnswer
	 */
	async get(path: string, query: Record<string, unknown> = {}): Promise<Answer> {
		for (let attempt = 1; ; attempt++) {
			const answer = await this.ask(path, query);
			const seconds = Number(answer.headers['retry-after'] ?? WAIT_S);
			const isOver = attempt === MOST_ATTEMPTS || !(seconds <= LONGEST_WAIT_S);
			if (isOver || !BUSY.includes(answer.status)) return answer;
			await sleep(seconds * 1000);
		}
	}

	private async ask(path: string, query: Record<string, unknown>): Promise<Answer> {
		if (this.requests++ > 0) await sleep(this.pauseMs);
		const { baseUrl, sourceSystem, apiKey } = this.contact;
		const began = performance.now();
		try {
			const { status, headers, data } = await axios.get<unknown>(baseUrl + path, {
				params: query,
				auth: { username: sourceSystem, password: apiKey },
				headers: {
					'content-type': 'application/json',
					'user-agent': `n8n-nodes-community-platform first contact (${sourceSystem})`,
				},
				// The key must not be sent to any other address.
				maxRedirects: 0,
				maxContentLength: MOST_BYTES,
				// Not axios's `timeout`, because an answer that trickles in never reaches it.
				signal: AbortSignal.timeout(TIMEOUT_MS),
				validateStatus: () => true,
			});
			for (const name of Object.keys(headers)) {
				if (/rate-?limit|retry-after/.test(name)) this.limitHeaders.add(name);
			}
			const ms = Math.round(performance.now() - began);
			return { status, data, ms, headers: headers as Answer['headers'] };
		} catch (error) {
			// Only its code or its text, because its request contains the key.
			const { code, message } = error as AxiosError;
			throw new NoAnswer(`The community gave no answer (${code ?? message}).`);
		}
	}
}
