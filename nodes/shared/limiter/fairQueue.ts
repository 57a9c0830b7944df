import type { Stop } from './stop';

/** The requests of one run: those that wait, and how many are in flight. */
export interface RunQueue<Waiting> {
	readonly run: Stop;
	readonly waiting: Waiting[];
	inFlight: number;
	/** The most that may be in flight. */
	max: number;
}

/**
 * A fair queue of the runs that share an API, served round-robin: a run that was served goes behind the others, so
 * that a big run does not starve a small one. A run is dropped once none of its requests waits or is in flight.
 */
export class FairQueue<Waiting> {
	private readonly queues = new Map<Stop, RunQueue<Waiting>>();
	private readonly unfollow = new Map<Stop, () => void>();

	/** @param onStopped called with the requests that waited when their run was stopped; they have left the queue */
	constructor(private readonly onStopped: (waiting: Waiting[]) => void) {}

	/** How many runs there are. */
	get size(): number {
		return this.queues.size;
	}

	/** Whether any request waits, also one of a run that has its maximum in flight. */
	get isAnyWaiting(): boolean {
		for (const { waiting } of this.queues.values()) if (waiting.length > 0) return true;
		return false;
	}

	/** The largest maximum of all runs, at least 1. */
	get max(): number {
		let max = 1;
		for (const runQueue of this.queues.values()) max = Math.max(max, runQueue.max);
		return max;
	}

	/**
	 * Lets a request wait behind the others of its run.
	 *
	 * @param run not stopped
	 * @param max of the run, from now on
	 * @param isRepeat lets it wait before the others, because it has waited already
	 */
	enter(run: Stop, max: number, waiting: Waiting, isRepeat = false): RunQueue<Waiting> {
		const runQueue = this.queues.get(run) ?? this.open(run);
		runQueue.max = max;
		if (isRepeat) runQueue.waiting.unshift(waiting);
		else runQueue.waiting.push(waiting);
		return runQueue;
	}

	/** The run whose turn it is: the first that waits and may have one more in flight. */
	next(): RunQueue<Waiting> | undefined {
		for (const runQueue of this.queues.values()) {
			if (runQueue.waiting.length > 0 && runQueue.inFlight < runQueue.max) return runQueue;
		}
		return undefined;
	}

	/**
	 * Takes the first waiting request of a run out of the queue and counts it as in flight.
	 *
	 * @param isProbe takes the last one instead, which has been refused the fewest times
	 */
	serve(runQueue: RunQueue<Waiting>, isProbe = false): Waiting {
		this.queues.delete(runQueue.run);
		this.queues.set(runQueue.run, runQueue);
		runQueue.inFlight++;
		return (isProbe ? runQueue.waiting.pop() : runQueue.waiting.shift()) as Waiting;
	}

	/** Notes that a request in flight has ended. */
	finish(runQueue: RunQueue<Waiting>): void {
		runQueue.inFlight--;
		this.closeIfEmpty(runQueue);
	}

	/** Takes out a request that waits. */
	remove(runQueue: RunQueue<Waiting>, waiting: Waiting): void {
		runQueue.waiting.splice(runQueue.waiting.indexOf(waiting), 1);
		this.closeIfEmpty(runQueue);
	}

	private open(run: Stop): RunQueue<Waiting> {
		const runQueue: RunQueue<Waiting> = { run, waiting: [], inFlight: 0, max: 1 };
		this.queues.set(run, runQueue);
		const stopped = () => {
			const waiting = runQueue.waiting.splice(0);
			this.closeIfEmpty(runQueue);
			this.onStopped(waiting);
		};
		this.unfollow.set(run, run.onStop(stopped));
		return runQueue;
	}

	private closeIfEmpty({ run, waiting, inFlight }: RunQueue<Waiting>): void {
		if (inFlight > 0 || waiting.length > 0) return;
		this.unfollow.get(run)?.();
		this.unfollow.delete(run);
		this.queues.delete(run);
	}
}
