import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

// Node's own report of each answer that its HTTP client gets (documentation of diagnostics_channel).
const CHANNEL = 'http.client.response.finish';

/** Statuses of the answers that this process got to requests to one origin. */
export class Answers {
	private readonly statuses: number[] = [];

	constructor(private readonly origin: string) {
		subscribe(CHANNEL, this.note);
	}

	get total(): number {
		return this.statuses.length;
	}

	get refused(): number {
		return this.statuses.filter((status) => status === 429 || status === 503).length;
	}

	close(): void {
		unsubscribe(CHANNEL, this.note);
	}

	private readonly note = (message: unknown): void => {
		const { request, response } = message as {
			request: { host: string; getHeader(name: string): unknown };
			response: IncomingMessage;
		};
		if (request.getHeader('host') === new URL(this.origin).host) {
			this.statuses.push(response.statusCode ?? 0);
		}
	};
}
