import type { Work } from './measure.mts';
import { httpRequest, node } from './peers.mts';
import { type RemoteSandbox, startRemoteSandbox } from './sandbox.mts';

/** Kilobytes of heap that some updates leave behind. n8n's engine leaves some with any node. */
interface Memory {
	ours: number;
	httpRequest: number;
}

// V8 itself keeps more and more data in the first half.
const RUNS = 2000;
const ITEMS = 50;

/** Updates 50 roles repeatedly, and measures the heap half-way and at the end. Needs node --expose-gc. */
export async function measureMemory(): Promise<Memory> {
	const sandbox = await startRemoteSandbox(ITEMS);
	try {
		return {
			ours: await leftBehind(sandbox, node.updateRoles(ITEMS)),
			httpRequest: await leftBehind(sandbox, httpRequest.updateRoles(ITEMS)),
		};
	} finally {
		await sandbox.close();
	}
}

async function leftBehind(sandbox: RemoteSandbox, work: Work): Promise<number> {
	let half = 0;
	for (let run = 1; run <= RUNS; run++) {
		// Without it, the sandbox would record all requests.
		await sandbox.prepare({});
		await work(sandbox);
		if (run === RUNS / 2) half = usedKilobytes();
	}
	return (usedKilobytes() - half) / (RUNS / 2);
}

function usedKilobytes(): number {
	if (!globalThis.gc) throw new Error('Start this with node --expose-gc');
	globalThis.gc();
	return process.memoryUsage().heapUsed / 1024;
}
