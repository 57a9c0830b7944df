import { sleep } from 'n8n-workflow';

// Long enough that yielding costs little, short enough that webhooks and the editor do not notice.
const SLICE_MS = 20;

/** Cuts long work into slices, and yields to n8n's event loop in between. */
export class Slices {
	private endsAt = 0;

	/** Whether the slice is over, so that {@link next} is due. */
	get isOver(): boolean {
		return performance.now() >= this.endsAt;
	}

	/** Yields to the event loop, then begins another slice. */
	async next(): Promise<void> {
		await sleep(0);
		this.endsAt = performance.now() + SLICE_MS;
	}
}
