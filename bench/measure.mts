import { performance } from 'node:perf_hooks';
import type { Work } from './peers.mts';
import type { Received, RemoteSandbox, Setup } from './sandbox.mts';

/** Peers that do the same work side by side. */
export interface Case {
	name: string;
	peers: Record<string, Work>;
	setup?: Setup;
	/** What the peers change; counted at the sandbox. */
	method?: 'PATCH' | 'PUT';
	/** The least time in seconds that the API itself allows. */
	floor?: number;
	rounds?: number;
}

export interface Measured {
	/** Seconds, sorted. */
	seconds: number[];
	median: number;
	/** Seconds of a processor that this process used, the median: not touched by what else the machine does. */
	cpu: number;
	/** Records that the peer had in its hands in the end, the fewest of all rounds. */
	records: number;
	/** Of the last round. */
	received?: Received;
}

export interface Result {
	name: string;
	floor?: number;
	peers: Record<string, Measured>;
}

/**
 * Runs all peers of a case in turns, so that whatever else the machine does meets all of them.
 *
 * @param rounds how often, unless the case says otherwise
 */
export async function measure(
	{ name, peers, setup = {}, method, floor, rounds }: Case,
	sandbox: RemoteSandbox,
	roundsUnlessTold: number,
): Promise<Result> {
	const result: Result = { name, floor, peers: {} };
	const cpu: Record<string, number[]> = {};
	for (let round = 0; round < (rounds ?? roundsUnlessTold); round++) {
		for (const [peer, work] of Object.entries(peers)) {
			await sandbox.prepare(setup);
			globalThis.gc?.();
			const start = performance.now();
			const cpuBefore = process.cpuUsage();
			const records = await work(sandbox);
			const { user, system } = process.cpuUsage(cpuBefore);
			const measured = (result.peers[peer] ??= { seconds: [], median: 0, cpu: 0, records });
			measured.seconds.push((performance.now() - start) / 1000);
			(cpu[peer] ??= []).push((user + system) / 1_000_000);
			measured.records = Math.min(measured.records, records);
			if (method) measured.received = await sandbox.received(method);
		}
	}
	for (const [peer, measured] of Object.entries(result.peers)) {
		measured.seconds.sort((a, b) => a - b);
		measured.median = medianOf(measured.seconds);
		measured.cpu = medianOf(cpu[peer]);
	}
	return result;
}

function medianOf(values: number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
