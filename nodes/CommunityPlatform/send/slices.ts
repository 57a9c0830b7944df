import { sleep } from 'n8n-workflow';

// Long enough that pausing costs little, short enough that webhooks and the editor do not notice.
const SLICE_MS = 20;

/** Cuts long work into slices, so that everything else in n8n's process gets its turn in between. */
export class Slices {
	private endsAt = 0;

	/** Whether it is time for {@link next}. */
	get isOver(): boolean {
		return performance.now() >= this.endsAt;
	}

	/** Lets everything else run, then begins another slice. */
	async next(): Promise<void> {
		await sleep(0);
		this.endsAt = performance.now() + SLICE_MS;
	}
}
