import { sleep } from 'n8n-workflow';

const LOOK_EVERY_MS = 100;

/** Those of requests that have not ended. */
const open = new Set<Deadline>();
let isLooking = false;

/**
 * Ends one request: when its time is over, or when n8n cancels the execution. All are looked at now and then, because
 * `AbortSignal.timeout` keeps its memory until its time is over, minutes after the request was answered, and
 * `AbortSignal.any` costs more time than sending.
 */
export class Deadline {
	private readonly controller = new AbortController();
	private readonly until: number;

	constructor(
		ms: number,
		private readonly cancelled?: AbortSignal,
	) {
		this.until = performance.now() + ms;
		open.add(this);
		if (!isLooking) void lookAtAll();
	}

	get signal(): AbortSignal {
		return this.controller.signal;
	}

	get isOver(): boolean {
		return performance.now() >= this.until;
	}

	/** To be called once the request has ended. */
	clear(): void {
		open.delete(this);
	}

	look(): void {
		if (this.isOver || this.cancelled?.aborted) this.controller.abort();
	}
}

async function lookAtAll(): Promise<void> {
	isLooking = true;
	while (open.size > 0) {
		await sleep(LOOK_EVERY_MS);
		for (const each of open) each.look();
	}
	isLooking = false;
}
