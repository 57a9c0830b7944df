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
	/** A label of the test that added it; without effect. */
	label?: string;
}

/** A fault that takes the place of the answer; with `applied`, after the request was carried out. */
export type AnswerFault =
	/** A status in the API's error form, or with `body`. Retry-After is sent if it is given. */
	| { kind: 'status'; status: number; message?: string; body?: unknown; retryAfter?: RetryAfter }
	/** A web page where JSON belongs; status 200 unless given. */
	| { kind: 'html'; status?: number }
	/** Any text as a JSON body; status 200 unless given. */
	| { kind: 'text'; status?: number; text: string }
	/** The connection ends without an answer. */
	| { kind: 'cut' }
	/** No answer ever. */
	| { kind: 'hang' };
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

type SideFault =
	/** The request waits before it is handled. */
	| { kind: 'slow'; delayMs: number }
	/** Members join (or leave, the newest first) just before the request is handled. */
	| { kind: 'membersChange'; join?: number; leave?: number }
	/** Anything, just before the request is handled; in the same process only. */
	| { kind: 'call'; run: (community: Community) => void | Promise<void> };

export type Fault = Match & ((AnswerFault & { applied?: boolean }) | ListFault | SideFault);
export const FAULT_KINDS: ReadonlyArray<Fault['kind']> = [
	...(['status', 'html', 'text', 'cut', 'hang'] as const),
	...(['shortPages', 'emptyPages', 'stuck', 'hasMore', 'notAList'] as const),
	...(['slow', 'membersChange', 'call'] as const),
];

/** The faults of one request. */
export interface Affliction {
	side: SideFault[];
	list: ListFault[];
	answer?: AnswerFault & { applied?: boolean };
}

interface Armed {
	id: number;
	fault: Fault;
	pattern?: RegExp;
	random: Random;
	seen: number;
	hits: number;
}

/** The faults that are waiting for requests. */
export class Faults {
	private armed: Armed[] = [];
	private lastId = 0;
	private readonly hanging = new Set<Socket>();

	/** Arms a fault and returns its number. */
	add(fault: Fault): number {
		const id = ++this.lastId;
		const pattern = fault.pattern === undefined ? undefined : new RegExp(fault.pattern);
		const random = new Random(fault.seed ?? id);
		this.armed.push({ id, fault, pattern, random, seen: 0, hits: 0 });
		return id;
	}

	remove(id: number): void {
		this.armed = this.armed.filter((each) => each.id !== id);
	}

	/** Disarms all faults, and cuts connections that hang because of one: not every client does so when it gives up. */
	clear(): void {
		this.armed = [];
		for (const socket of this.hanging) socket.destroy();
		this.hanging.clear();
	}

	/** Leaves a request without an answer for as long as the faults stay. */
	hang(socket: Socket): void {
		this.hanging.add(socket);
		socket.once('close', () => this.hanging.delete(socket));
	}

	/** The armed faults, with how many requests matched (`seen`) and were changed (`hits`). */
	list(): Array<{ id: number; fault: Fault; seen: number; hits: number }> {
		return this.armed.map(({ id, fault, seen, hits }) => ({ id, fault, seen, hits }));
	}

	/** The faults of this request, which are counted; undefined if there are none. */
	befall(method: string, path: string): Affliction | undefined {
		if (this.armed.length === 0) return undefined;
		const affliction: Affliction = { side: [], list: [] };
		for (const armed of this.armed) {
			if (!matches(armed, method, path)) continue;
			const { fault } = armed;
			// One answer takes the place of the real one; a second fault waits for the next request.
			if (isAnswerFault(fault) && affliction.answer) continue;
			if (!fires(armed)) continue;
			if (isAnswerFault(fault)) affliction.answer = fault;
			else if (isSideFault(fault)) affliction.side.push(fault);
			else affliction.list.push(fault);
		}
		return affliction;
	}
}

function matches({ fault, pattern }: Armed, method: string, path: string): boolean {
	return (
		(fault.method === undefined || fault.method.toUpperCase() === method) &&
		(fault.path === undefined || path.startsWith(fault.path)) &&
		(pattern === undefined || path.search(pattern) >= 0)
	);
}

function fires(armed: Armed): boolean {
	const { after = 0, every = 1, times = Infinity, probability = 1 } = armed.fault;
	armed.seen++;
	if (armed.seen <= after || armed.hits >= times) return false;
	if ((armed.seen - after) % every !== 0) return false;
	if (probability < 1 && !armed.random.chance(probability)) return false;
	armed.hits++;
	return true;
}

function isAnswerFault(fault: Fault): fault is Match & AnswerFault & { applied?: boolean } {
	return ['status', 'html', 'text', 'cut', 'hang'].includes(fault.kind);
}

function isSideFault(fault: Fault): fault is Match & SideFault {
	return ['slow', 'membersChange', 'call'].includes(fault.kind);
}
