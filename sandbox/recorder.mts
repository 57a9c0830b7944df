import { performance } from 'node:perf_hooks';

/** One request as it came in, and its outcome. */
export interface RecordedRequest {
	/** Counts from 1, in the order of arrival. */
	sequence: number;
	method: string;
	path: string;
	query: Record<string, string | string[]>;
	/** Path and query as sent, escapes included. */
	url: string;
	headers: Record<string, string | string[] | undefined>;
	/** The parsed body, before defaults; undefined when there was none. */
	body: unknown;
	/** The status answered; null while open, and when the connection ended without an answer. */
	status: number | null;
	/** Whether the community carried it out, even if the answer was lost. */
	carriedOut: boolean;
	/** Milliseconds since 1970, with fractions. */
	startedAt: number;
	endedAt: number | null;
}

/** Older requests are forgotten beyond this many; `total` and `statuses` still count them. */
const KEPT = 200_000;

/** Records the requests to the API, not those to the development endpoints. */
export class Recorder {
	/** In the order of arrival. */
	readonly all: RecordedRequest[] = [];
	total = 0;
	inFlight = 0;
	maxInFlight = 0;
	/** How many requests were answered with which status; `cut` for those without an answer. */
	readonly statuses: Record<string, number> = {};
	private sequence = 0;

	/** Forgets what was recorded. Requests under way stay counted as in flight. */
	clear(): void {
		this.all.length = 0;
		this.total = 0;
		this.maxInFlight = this.inFlight;
		for (const status of Object.keys(this.statuses)) delete this.statuses[status];
	}

	/** The requests of one method (any, if undefined) whose path begins so. */
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

	/** Notes the end of a request, once; later calls change nothing. */
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
