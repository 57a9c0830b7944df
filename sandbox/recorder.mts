import { performance } from 'node:perf_hooks';

/** A recorded request and its outcome. */
export interface RecordedRequest {
	/** Counts from 1, in the order of arrival. */
	sequence: number;
	method: string;
	path: string;
	query: Record<string, string | string[]>;
	/** Path and query as sent, escapes included. */
	url: string;
	headers: Record<string, string | string[] | undefined>;
	/** The parsed body without defaults. Undefined if there was none. */
	body: unknown;
	/** The status of the answer. Null while the request is open, or if the connection ended without an answer. */
	status: number | null;
	/** Whether the community carried it out, even if the answer was lost. */
	carriedOut: boolean;
	/** Milliseconds since 1970, with fractions. */
	startedAt: number;
	endedAt: number | null;
}

/** The maximum number of kept requests. `total` and `statuses` count all of them. */
const KEPT = 200_000;

/** Records requests to the API, but not to the development endpoints. */
export class Recorder {
	/** In the order of arrival. */
	readonly all: RecordedRequest[] = [];
	total = 0;
	inFlight = 0;
	maxInFlight = 0;
	/** The number of requests by status of the answer, or `cut` for those without one. */
	readonly statuses: Record<string, number> = {};
	private sequence = 0;

	/** Drops the recorded requests. Open ones stay counted as in flight. */
	clear(): void {
		this.all.length = 0;
		this.total = 0;
		this.maxInFlight = this.inFlight;
		for (const status of Object.keys(this.statuses)) delete this.statuses[status];
	}

	/** The requests with a method (any, if undefined) and a path that starts with the prefix. */
	matching(method: string | undefined, pathPrefix = ''): RecordedRequest[] {
		return this.all.filter(
			(request) =>
				(method === undefined || request.method === method) && request.path.startsWith(pathPrefix),
		);
	}

	begin(
		request: Pick<RecordedRequest, 'method' | 'path' | 'query' | 'url' | 'headers'>,
	): RecordedRequest {
		const recorded: RecordedRequest = {
			sequence: ++this.sequence,
			...request,
			body: undefined,
			status: null,
			carriedOut: false,
			startedAt: now(),
			endedAt: null,
		};
		this.total++;
		this.maxInFlight = Math.max(this.maxInFlight, ++this.inFlight);
		this.all.push(recorded);
		if (this.all.length > KEPT * 1.1) this.all.splice(0, this.all.length - KEPT);
		return recorded;
	}

	/** Records the end of a request once. Later calls change nothing. */
	end(recorded: RecordedRequest, status: number | null): void {
		if (recorded.endedAt !== null) return;
		recorded.status = status;
		recorded.endedAt = now();
		this.inFlight--;
		const name = status ?? 'cut';
		this.statuses[name] = (this.statuses[name] ?? 0) + 1;
	}
}

const now = () => performance.timeOrigin + performance.now();
