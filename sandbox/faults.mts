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
	/** Lets this many matching requests pass first. */
	after?: number;
	/** Applies to every nth of the requests after those, e.g. 3 for the third, the sixth, … */
	every?: number;
	/** Applies to at most this many requests; without it, to all. */
	times?: number;
	/** Applies to each request with this probability, reproducibly. */
	probability?: number;
	/** Seed of that probability. */
	seed?: number;
}

/** A fault that takes the place of the answer; with `applied`, after the request was carried out. */
export type AnswerFault = { applied?: boolean } & (
	| /** A status in the API's error form, or with `body`. Retry-After is sent if it is given. */
	  { kind: 'status'; status: number; message?: string; body?: unknown; retryAfter?: RetryAfter }
	  /** A web page where JSON belongs; status 200 unless given. */
	| { kind: 'html'; status?: number }
	/** Any text as a JSON body; status 200 unless given. */
	| { kind: 'text'; status?: number; text: string }
	/** The connection ends without an answer. */
	| { kind: 'cut' }
	/** No answer ever. */
	| { kind: 'hang' }
);
/** Seconds, or an HTTP date that many seconds ahead. */
export type RetryAfter = number | { dateInSeconds: number };

/** A fault in pagination. No record is lost by it unless said so. */
export type ListFault =
	/** Pages hold at most `keep` records, whatever page_size says. */
	| { kind: 'shortPages'; keep: number }
	/** `count` empty pages from page number `at` on; the records go on after them. */
	| { kind: 'emptyPages'; at: number; count: number }
	/** From page `from` (1) on the list never advances: that page again, or nothing, and more to come. */
	| { kind: 'stuck'; answer: 'samePage' | 'emptyPage'; from?: number }
	/** has_more has this value, or is missing (null). */
	| { kind: 'hasMore'; value: string | null }
	/** An answer that is no list, e.g. `{}` or null. */
	| { kind: 'notAList'; value: unknown };

/** What happens just before a request is handled. */
type BeforeFault =
	/** The request waits. */
	| { kind: 'slow'; delayMs: number }
	/** Members join, or leave, the newest first. */
	| { kind: 'membersChange'; join?: number; leave?: number }
	/** Anything; in the same process only. */
	| { kind: 'call'; run: (community: Community) => void | Promise<void> };

export type Fault = Match & (AnswerFault | ListFault | BeforeFault);

const ANSWER_KINDS = ['status', 'html', 'text', 'cut', 'hang'];
const LIST_KINDS = ['shortPages', 'emptyPages', 'stuck', 'hasMore', 'notAList'];
const BEFORE_KINDS = ['slow', 'membersChange', 'call'];
/** The kinds of fault that another process can add. */
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
	/** How many requests matched, and to how many of them it applied. */
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

	/** Removes all faults, and cuts connections that hang because of one: not every client does so when it gives up. */
	clear(): void {
		this.added = [];
		for (const socket of this.hanging) socket.destroy();
		this.hanging.clear();
	}

	/** Leaves a request without an answer for as long as the faults stay. */
	hang(socket: Socket): void {
		this.hanging.add(socket);
		socket.once('close', () => this.hanging.delete(socket));
	}

	/** The faults, with how many requests matched (`seen`) and were changed (`hits`). */
	list(): Array<{ id: number; fault: Fault; seen: number; hits: number }> {
		return this.added.map(({ id, fault, seen, hits }) => ({ id, fault, seen, hits }));
	}

	/** The faults of this request, which is counted. */
	match(method: string, path: string): MatchedFaults {
		const matched: MatchedFaults = { before: [], list: [] };
		for (const added of this.added) {
			const { fault } = added;
			const isAnswer = ANSWER_KINDS.includes(fault.kind);
			// One answer takes the place of the real one; a second fault waits for the next request.
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
