import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Received, RemoteSandbox, Setup } from './sandbox.mts';

/** The number of records that a peer returned, or 0 if it failed. */
export type Work = (sandbox: RemoteSandbox) => Promise<number>;

/** Peers that do the same work. The first one is ours, and the second one is n8n's HTTP Request node. */
export interface Case {
	name: string;
	/** The required minimum of that node's time divided by ours, because seconds depend on the machine. */
	floor?: number;
	/** The permitted maximum of our processor time divided by that node's. It is steadier than time on a busy machine. */
	ceiling?: number;
	peers: Record<string, Work>;
	setup?: Setup;
	/** Runs before each peer with the same caller, without being measured. */
	before?: Work;
}

interface Measured {
	seconds: number;
	/** The least processor time of this process, in seconds. The sandbox has a process of its own. */
	processorSeconds: number;
	/** The median of the longest block of the event loop, in milliseconds. Nothing else in n8n runs during it. */
	blockedMs: number;
	/** The number of records that the peer returned, the lowest of all iterations. */
	records: number;
	/** The requests that the sandbox received in the last iteration. */
	received: Received;
}

/** By the names of the peers. */
export type Result = Record<string, Measured>;

// The interval at which the event loop is checked, and the time before and after to detect a block at either end.
const LOOK_EVERY_MS = 2;
const SETTLE_MS = 20;

let callers = 0;

/** Runs all peers of a case in turns, so that other load on the machine affects all of them. */
export async function measure(
	{ peers, setup = {}, before }: Case,
	sandbox: RemoteSandbox,
	rounds: number,
): Promise<Result> {
	const runs: Record<string, Measured[]> = {};
	for (let round = 0; round < rounds; round++) {
		for (const [peer, work] of Object.entries(peers)) {
			// A new caller, so that no peer starts with knowledge about the API.
			const caller = { ...sandbox, sourceSystem: `caller ${++callers}` };
			await sandbox.prepare({});
			await before?.(caller);
			await sandbox.prepare(setup);
			(runs[peer] ??= []).push(await runOnce(work, caller));
		}
	}
	return Object.fromEntries(Object.entries(runs).map(([peer, all]) => [peer, summaryOf(all)]));
}

async function runOnce(work: Work, sandbox: RemoteSandbox): Promise<Measured> {
	globalThis.gc?.();
	const loop = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS });
	loop.enable();
	await sleep(SETTLE_MS);
	const start = performance.now();
	const used = process.cpuUsage();
	const records = await work(sandbox);
	const { user, system } = process.cpuUsage(used);
	const seconds = (performance.now() - start) / 1000;
	await sleep(SETTLE_MS);
	loop.disable();
	return {
		records,
		seconds,
		processorSeconds: (user + system) / 1e6,
		blockedMs: loop.max / 1e6,
		received: await sandbox.received(),
	};
}

function summaryOf(runs: Measured[]): Measured {
	const sorted = (key: 'seconds' | 'processorSeconds' | 'blockedMs' | 'records') =>
		runs.map((run) => run[key]).sort((a, b) => a - b);
	const middle = Math.floor(runs.length / 2);
	return {
		seconds: sorted('seconds')[middle],
		processorSeconds: sorted('processorSeconds')[0],
		blockedMs: sorted('blockedMs')[middle],
		records: sorted('records')[0],
		received: runs[runs.length - 1].received,
	};
}
