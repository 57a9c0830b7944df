import { sleep } from 'n8n-workflow';

const LOOK_EVERY_MS = 100;

/**
 * Ends one request: when its time is over, or when n8n cancels the execution. It looks now and then, because
 * `AbortSignal.timeout` keeps its memory until its time is over, minutes after the request was answered, and
 * `AbortSignal.any` costs more time than sending.
 */
export class Deadline {
	private readonly controller = new AbortController();
	private readonly until: number;
	private isCleared = false;

	constructor(ms: number, cancelled?: AbortSignal) {
		this.until = performance.now() + ms;
		void this.watch(cancelled);
	}

	get signal(): AbortSignal {
		return this.controller.signal;
	}

	get isOver(): boolean {
		return performance.now() >= this.until;
	}

	/** To be called once the request has ended. */
	clear(): void {
		this.isCleared = true;
	}

	private async watch(cancelled?: AbortSignal): Promise<void> {
		while (!this.isCleared && !this.signal.aborted) {
			await sleep(LOOK_EVERY_MS);
			if (!this.isCleared && (this.isOver || cancelled?.aborted)) this.controller.abort();
		}
	}
}
