import type { Stop } from './stop';
import { wait } from './wait';

/** Who asks for a place, and how many places there may be at most while it is served. */
export interface Ticket {
	/** The run that the request belongs to. Runs that share an API take turns; one that is stopped gets no place. */
	run: Stop;
	/** The most requests in flight at once, from `maxRequestsAtOnce`. */
	max: number;
}

/** What a request in a place taught: whether the API kept up, refused for load, or neither. */
export type Verdict = 'fine' | 'refused' | 'unknown';

/** A place among the requests in flight. */
export interface Place {
	/** Gives the place back; further calls do nothing. */
	leave(verdict: Verdict): void;
}

interface Waiting {
	ticket: Ticket;
	admit(place: Place | undefined): void;
}

/**
 * Bounds how many requests to one API are in flight at once, fairly between the runs that share it,
 * and holds all of them while the API asks for a pause.
 */
export class Limiter {
	private inFlight = 0;
	private pausedUntil = 0;
	private readonly queues = new Map<Stop, Waiting[]>();
	private readonly followed = new WeakSet<Stop>();

	/**
	 * Waits for a place.
	 *
	 * @returns the place, or undefined when the run was stopped before one came free
	 */
	async take(ticket: Ticket): Promise<Place | undefined> {
		const { run } = ticket;
		if (run.isStopped) return undefined;
		if (!this.followed.has(run)) {
			this.followed.add(run);
			void run.whenStopped.then(() => this.sendAway(run));
		}
		return await new Promise((resolve) => {
			const waiting: Waiting = { ticket, admit: resolve };
			const queue = this.queues.get(run);
			if (queue) queue.push(waiting);
			else this.queues.set(run, [waiting]);
			this.admitNext();
		});
	}

	/**
	 * Holds every request to this API; a later call can lengthen the pause, never shorten it.
	 *
	 * @param ms milliseconds from now
	 */
	pause(ms: number): void {
		const until = Date.now() + ms;
		if (until <= this.pausedUntil) return;
		this.pausedUntil = until;
		void wait(ms).then(() => this.admitNext());
	}

	/** Whether nothing is in flight, waiting or held. */
	get isIdle(): boolean {
		return this.inFlight === 0 && this.queues.size === 0 && Date.now() >= this.pausedUntil;
	}

	private admitNext(): void {
		while (Date.now() >= this.pausedUntil) {
			const [first] = this.queues;
			if (!first) return;
			const [run, queue] = first;
			if (this.inFlight >= queue[0].ticket.max) return;
			const waiting = queue.shift() as Waiting;
			// Behind the others again, so that a small run is not starved by a big one.
			this.queues.delete(run);
			if (queue.length > 0) this.queues.set(run, queue);
			this.inFlight++;
			waiting.admit(this.newPlace());
		}
	}

	private newPlace(): Place {
		let isTaken = true;
		return {
			leave: () => {
				if (!isTaken) return;
				isTaken = false;
				this.inFlight--;
				this.admitNext();
			},
		};
	}

	private sendAway(run: Stop): void {
		const queue = this.queues.get(run) ?? [];
		this.queues.delete(run);
		for (const { admit } of queue) admit(undefined);
	}
}
