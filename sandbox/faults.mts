import type { Socket } from 'node:net';
import type { Community } from './community.mts';
import { Random } from './random.mts';

/** Which requests a fault applies to; by default, every request to the API. */
interface Match {
	method?: string;
	/** The beginning of the path, e.g. `/api/v1/users`. */
	path?: string;
	/** A regular expression, or its text, that the path matches. */
	pattern?: RegExp | string;
	/** Skips this many matching requests first. */
	after?: number;
	/** Applies to every nth request after those, e.g. 3 for the third, the sixth, … */
	every?: number;
	/** Applies to at most this many requests. If left out, to all. */
	times?: number;
	/** Applies to each request with this probability, which is reproducible. */
	probability?: number;
	/** Seed of that probability. */
	seed?: number;
}

/** A fault that replaces the answer. With `applied`, the request is carried out first. */
export type AnswerFault = { applied?: boolean } & (
	| /** A status in the API's error form, or with `body`. Retry-After is sent if it is set. */
	  { kind: 'status'; status: number; message?: string; body?: unknown; retryAfter?: RetryAfter }
	  /** A web page instead of JSON. The status is 200 unless set. */
	| { kind: 'html'; status?: number }
	/** Any text as a JSON body. The status is 200 unless set. */
	| { kind: 'text'; status?: number; text: string }
	/** The connection ends without an answer. */
	| { kind: 'cut' }
	/** No answer ever. */
	| { kind: 'hang' }
);
/** Seconds, or an HTTP date that many seconds ahead. */
export type RetryAfter = number | { dateInSeconds: number };

/** A fault in pagination. It loses no record unless stated. */
export type ListFault =
	/** Pages contain at most `keep` records, for any page_size. */
	| { kind: 'shortPages'; keep: number }
	/** `count` empty pages, starting with page `at`. The records continue after them. */
	| { kind: 'emptyPages'; at: number; count: number }
	/**
	 * From page `from` (1) on, the list never advances. The API repeats that page or an empty one, and announces more.
	 */
	| { kind: 'stuck'; answer: 'samePage' | 'emptyPage'; from?: number }
	/** has_more has this value, or is missing (null). */
	| { kind: 'hasMore'; value: string | null }
	/** An answer that is no list, e.g. `{}` or null. */
	| { kind: 'notAList'; value: unknown };

/** An action just before a request is handled. */
type BeforeFault =
	/** The request waits. */
	| { kind: 'slow'; delayMs: number }
	/** Members join, or the newest ones leave. */
	| { kind: 'membersChange'; join?: number; leave?: number }
	/** Any function. Available in the same process only. */
	| { kind: 'call'; run: (community: Community) => void | Promise<void> };

export type Fault = Match & (AnswerFault | ListFault | BeforeFault);

const ANSWER_KINDS = ['status', 'html', 'text', 'cut', 'hang'];
const LIST_KINDS = ['shortPages', 'emptyPages', 'stuck', 'hasMore', 'notAList'];
const BEFORE_KINDS = ['slow', 'membersChange', 'call'];
/** The kinds of faults that another process can add. */
export const REMOTE_KINDS = [...ANSWER_KINDS, ...LIST_KINDS, 'slow', 'membersChange'];

/** The faults of one request. */
export interface MatchedFaults {
	before: BeforeFault[];
	list: ListFault[];
	answer?: AnswerFault;
}

interface Added {
	id: number;
	fault: Fault;
	random: Random;
	/** The numbers of requests that matched, and of those that the fault changed. */
	seen: number;
	hits: number;
}

/** The faults that are waiting for requests. */
export class Faults {
	private added: Added[] = [];
	private lastId = 0;
	private readonly hanging = new Set<Socket>();

	/** Adds a fault and returns its number. */
	add(fault: Fault): number {
		const id = ++this.lastId;
		this.added.push({ id, fault, random: new Random(fault.seed ?? id), seen: 0, hits: 0 });
		return id;
	}

	/**
	 * Removes all faults, and cuts the connections that hang because of one, because not every client cuts them when it
	 * gives up.
	 */
	clear(): void {
		this.added = [];
		for (const socket of this.hanging) socket.destroy();
		this.hanging.clear();
	}

	/** Keeps a request without an answer until the faults are removed. */
	hang(socket: Socket): void {
		this.hanging.add(socket);
		socket.once('close', () => this.hanging.delete(socket));
	}

	/** The faults, with how many requests matched (`seen`) and were changed (`hits`). */
	list(): Array<{ id: number; fault: Fault; seen: number; hits: number }> {
		return this.added.map(({ id, fault, seen, hits }) => ({ id, fault, seen, hits }));
	}

	/** Counts the request, and returns its faults. */
	match(method: string, path: string): MatchedFaults {
		const matched: MatchedFaults = { before: [], list: [] };
		for (const added of this.added) {
			const { fault } = added;
			const isAnswer = ANSWER_KINDS.includes(fault.kind);
			// Only one fault can replace the answer, so a second one waits for the next request.
			if ((isAnswer && matched.answer) || !matches(fault, method, path) || !applies(added))
				continue;
			if (isAnswer) matched.answer = fault as AnswerFault;
			else if (BEFORE_KINDS.includes(fault.kind)) matched.before.push(fault as BeforeFault);
			else matched.list.push(fault as ListFault);
		}
		return matched;
	}
}

function matches(fault: Fault, method: string, path: string): boolean {
	return (
		(fault.method === undefined || fault.method.toUpperCase() === method) &&
		(fault.path === undefined || path.startsWith(fault.path)) &&
		(fault.pattern === undefined || path.search(fault.pattern) >= 0)
	);
}

function applies(added: Added): boolean {
	const { after = 0, every = 1, times = Infinity, probability = 1 } = added.fault;
	added.seen++;
	if (added.seen <= after || added.hits >= times) return false;
	if ((added.seen - after) % every !== 0) return false;
	if (probability < 1 && !added.random.chance(probability)) return false;
	added.hits++;
	return true;
}
