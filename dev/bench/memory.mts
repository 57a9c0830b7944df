import { node } from './peers.mts';
import { startRemoteSandbox } from './sandbox.mts';

/** What runs leave behind. */
export interface Memory {
	runs: number;
	/** Kilobytes of heap that a run leaves behind, from the middle of the runs to the last one. */
	kilobytesPerRun: number;
}

// V8 itself keeps more and more of what it learns in the first half.
const RUNS = 1000;
const ITEMS = 50;

/** Updates 50 roles again and again, and looks at the heap half-way and at the end; needs node --expose-gc. */
export async function measureMemory(): Promise<Memory> {
	const sandbox = await startRemoteSandbox(ITEMS);
	try {
		const work = node.updateRoles(ITEMS);
		let half = 0;
		for (let run = 1; run <= RUNS; run++) {
			// Without it, the sandbox would record all requests.
			await sandbox.prepare({});
			await work(sandbox);
			if (run === RUNS / 2) half = usedKilobytes();
		}
		return { runs: RUNS, kilobytesPerRun: (usedKilobytes() - half) / (RUNS / 2) };
	} finally {
		await sandbox.close();
	}
}

function usedKilobytes(): number {
	if (!globalThis.gc) throw new Error('Start this with node --expose-gc');
	globalThis.gc();
	return process.memoryUsage().heapUsed / 1024;
}
