import type { Stop } from './stop';

/** The requests of one run: those that wait, and how many are on their way. */
export interface Lane<Waiting> {
	readonly run: Stop;
	readonly waiting: Waiting[];
	inFlight: number;
	/** The most that may be in flight. */
	max: number;
}

/**
 * The runs that share an API, in turns: whoever was served goes behind the others, so that a small run is
 * not starved by a big one. A run is forgotten when nothing of it waits or is on its way.
 */
export class Lanes<Waiting> {
	private readonly lanes = new Map<Stop, Lane<Waiting>>();
	private readonly unfollow = new Map<Stop, () => void>();

	/** @param onStopped called with those that waited when their run was stopped; they wait no longer */
	constructor(private readonly onStopped: (waiting: Waiting[]) => void) {}

	/** How many runs there are. */
	get size(): number {
		return this.lanes.size;
	}

	/** Whether anything waits, in turn or not. */
	get isAnyWaiting(): boolean {
		for (const { waiting } of this.lanes.values()) if (waiting.length > 0) return true;
		return false;
	}

	/** The largest maximum of all runs, at least 1. */
	get max(): number {
		let max = 1;
		for (const lane of this.lanes.values()) max = Math.max(max, lane.max);
		return max;
	}

	/**
	 * Lets a request wait behind the others of its run.
	 *
	 * @param run not stopped
	 * @param max of the run, from now on
	 * @param isRepeat lets it wait before the others, because it has waited already
	 */
	enter(run: Stop, max: number, waiting: Waiting, isRepeat = false): Lane<Waiting> {
		const lane = this.lanes.get(run) ?? this.open(run);
		lane.max = max;
		if (isRepeat) lane.waiting.unshift(waiting);
		else lane.waiting.push(waiting);
		return lane;
	}

	/** The run whose turn it is: the first that waits and may have one more in flight. */
	next(): Lane<Waiting> | undefined {
		for (const lane of this.lanes.values()) {
			if (lane.waiting.length > 0 && lane.inFlight < lane.max) return lane;
		}
		return undefined;
	}

	/**
	 * Sends the first of a run on its way.
	 *
	 * @param isProbe sends the last one, which has been refused the fewest times
	 */
	serve(lane: Lane<Waiting>, isProbe = false): Waiting {
		this.lanes.delete(lane.run);
		this.lanes.set(lane.run, lane);
		lane.inFlight++;
		return (isProbe ? lane.waiting.pop() : lane.waiting.shift()) as Waiting;
	}

	/** Notes that a request that was on its way is over. */
	finish(lane: Lane<Waiting>): void {
		lane.inFlight--;
		this.closeIfEmpty(lane);
	}

	/** Takes out a request that waits. */
	remove(lane: Lane<Waiting>, waiting: Waiting): void {
		lane.waiting.splice(lane.waiting.indexOf(waiting), 1);
		this.closeIfEmpty(lane);
	}

	private open(run: Stop): Lane<Waiting> {
		const lane: Lane<Waiting> = { run, waiting: [], inFlight: 0, max: 1 };
		this.lanes.set(run, lane);
		const stopped = () => {
			const waiting = lane.waiting.splice(0);
			this.closeIfEmpty(lane);
			this.onStopped(waiting);
		};
		this.unfollow.set(run, run.onStop(stopped));
		return lane;
	}

	private closeIfEmpty({ run, waiting, inFlight }: Lane<Waiting>): void {
		if (inFlight > 0 || waiting.length > 0) return;
		this.unfollow.get(run)?.();
		this.unfollow.delete(run);
		this.lanes.delete(run);
	}
}
