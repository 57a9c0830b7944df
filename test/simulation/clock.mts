/** When the story begins, in milliseconds since 1970. */
const EPOCH = Date.UTC(2026, 0, 5, 8);
// A story with more steps than this makes no progress in virtual time.
const MAX_STEPS = 2_000_000;

/** Thrown if a story cannot end, or takes longer than it may. */
class NotEnded extends Error {}

/** One step in the future. */
export interface Entry {
	at: number;
	order: number;
	/** The process that waits for it, so that a crash can drop it. */
	owner: object;
	/** Whether it keeps nothing alive, like the timer of `AbortSignal.timeout`. */
	isBackground: boolean;
	isDropped: boolean;
	run(): void;
}

/**
 * The clock of a story. Its queue is in the order of time, then of asking. Time advances only after all promises have
 * settled, so a story with the same seed always takes the same steps.
 */
export class Clock {
	/** Milliseconds since the story began. */
	now = 0;
	private steps = 0;
	private order = 0;
	private readonly heap: Entry[] = [];

	get date(): number {
		return EPOCH + this.now;
	}

	schedule(ms: number, run: () => void, owner: object, isBackground = false): Entry {
		// As in Node.js, where a timer takes at least one millisecond.
		const at = this.now + Math.max(1, Number.isFinite(ms) ? ms : 1);
		const entry = { at, order: this.order++, owner, isBackground, isDropped: false, run };
		this.push(entry);
		return entry;
	}

	async sleep(ms: number, owner: object): Promise<void> {
		await new Promise<void>((resolve) => void this.schedule(ms, resolve, owner));
	}

	/** Drops all entries of a process that has crashed. */
	drop(owner: object): void {
		for (const entry of this.heap) if (entry.owner === owner) entry.isDropped = true;
	}

	/** How many entries still wait that belong to a process and keep something alive. */
	waitingFor(owner: object): number {
		return this.heap.filter((each) => each.owner === owner && !each.isDropped && !each.isBackground)
			.length;
	}

	/** Advances until the work is done. Throws if nothing is queued before that, or if `until` has passed. */
	async run<T>(work: Promise<T>, until: number, what: string): Promise<T> {
		let isDone = false;
		const settled = () => {
			isDone = true;
		};
		work.then(settled, settled);
		for (;;) {
			await new Promise(setImmediate);
			if (isDone) return await work;
			const entry = this.pop();
			if (!entry) throw new NotEnded(`${what} waits, and nothing is queued (deadlock)`);
			if (entry.at > until) {
				this.push(entry);
				throw new NotEnded(`${what} has not ended after ${seconds(until)}`);
			}
			if (++this.steps > MAX_STEPS) throw new NotEnded(`${what} takes steps without an end`);
			this.now = entry.at;
			entry.run();
		}
	}

	/** Lets time pass. */
	async pass(ms: number): Promise<void> {
		await this.run(this.sleep(ms, this), this.now + ms + 1, 'A pause');
	}

	private push(entry: Entry): void {
		const { heap } = this;
		let at = heap.push(entry) - 1;
		while (at > 0) {
			const parent = (at - 1) >> 1;
			if (!isBefore(heap[at], heap[parent])) return;
			[heap[at], heap[parent]] = [heap[parent], heap[at]];
			at = parent;
		}
	}

	private pop(): Entry | undefined {
		for (;;) {
			const entry = this.popAny();
			if (!entry?.isDropped) return entry;
		}
	}

	private popAny(): Entry | undefined {
		const { heap } = this;
		const [first] = heap;
		const last = heap.pop();
		if (heap.length === 0 || !last) return first;
		heap[0] = last;
		for (let at = 0; ;) {
			const [left, right] = [2 * at + 1, 2 * at + 2];
			let least = at;
			if (left < heap.length && isBefore(heap[left], heap[least])) least = left;
			if (right < heap.length && isBefore(heap[right], heap[least])) least = right;
			if (least === at) return first;
			[heap[at], heap[least]] = [heap[least], heap[at]];
			at = least;
		}
	}
}

function isBefore(one: Entry, other: Entry): boolean {
	return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/** Writes a time of a story, e.g. "1.2 s". */
export function seconds(ms: number): string {
	return `${(ms / 1000).toFixed(1)} s`;
}

export type Random = () => number;

/** Returns a generator of random numbers from 0 to 1 (mulberry32). */
export function randomOf(seed: number): Random {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}
