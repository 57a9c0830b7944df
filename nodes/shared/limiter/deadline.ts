import { sleep } from 'n8n-workflow';

const LOOK_EVERY_MS = 100;

const open = new Set<Deadline>();
let isLooking = false;

/**
 * Ends one request: when its time is over, or when n8n cancels the execution. One loop looks at all of them, because
 * `AbortSignal.timeout` keeps its memory until its time is over, minutes after the request was answered, and
 * `AbortSignal.any` costs more time than sending.
 */
export class Deadline {
	private readonly controller = new AbortController();
	private readonly until: number;

	/**
	 * @param ms milliseconds from now
	 * @param cancelled n8n's signal of the execution
	 */
	constructor(
		ms: number,
		private readonly cancelled?: AbortSignal,
	) {
		this.until = performance.now() + ms;
		open.add(this);
		if (!isLooking) void look();
	}

	/** Aborted when the request has to end. */
	get signal(): AbortSignal {
		return this.controller.signal;
	}

	/** Whether the time is over. */
	get isOver(): boolean {
		return performance.now() >= this.until;
	}

	/** To be called once the request has ended. */
	clear(): void {
		open.delete(this);
	}

	/** Aborts the signal when it is time. */
	check(): void {
		if (this.isOver || this.cancelled?.aborted) this.controller.abort();
	}
}

async function look(): Promise<void> {
	isLooking = true;
	while (open.size > 0) {
		await sleep(LOOK_EVERY_MS);
		for (const each of open) each.check();
	}
	isLooking = false;
}
