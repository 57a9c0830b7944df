import { performance } from 'node:perf_hooks';
import type { Received, RemoteSandbox, Setup } from './sandbox.mts';

/** What the peers work with. */
export interface Scene {
	/** Makes it ready for the next peer. */
	prepare: (setup: Setup) => Promise<void>;
	/** What arrived there since then. */
	received?: (method: string) => Promise<Received>;
}

/** How many records a peer had in its hands in the end; 0 when its run failed and gave nothing. */
export type Work<S extends Scene = RemoteSandbox> = (scene: S) => Promise<number>;

/** Peers that do the same work side by side. */
export interface Case<S extends Scene = RemoteSandbox> {
	name: string;
	peers: Record<string, Work<S>>;
	/** Another process does the work, so that the processor time of this one tells nothing. */
	isElsewhere?: boolean;
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
	cpu?: number;
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
export async function measure<S extends Scene>(
	{ name, peers, setup = {}, method, floor, rounds, isElsewhere }: Case<S>,
	scene: S,
	roundsUnlessTold: number,
): Promise<Result> {
	const result: Result = { name, floor, peers: {} };
	const cpu: Record<string, number[]> = {};
	for (let round = 0; round < (rounds ?? roundsUnlessTold); round++) {
		for (const [peer, work] of Object.entries(peers)) {
			await scene.prepare(setup);
			globalThis.gc?.();
			const start = performance.now();
			const cpuBefore = process.cpuUsage();
			const records = await work(scene);
			const { user, system } = process.cpuUsage(cpuBefore);
			const measured = (result.peers[peer] ??= { seconds: [], median: 0, records });
			measured.seconds.push((performance.now() - start) / 1000);
			(cpu[peer] ??= []).push((user + system) / 1_000_000);
			measured.records = Math.min(measured.records, records);
			if (method) measured.received = await scene.received?.(method);
		}
	}
	for (const [peer, measured] of Object.entries(result.peers)) {
		measured.seconds.sort((a, b) => a - b);
		measured.median = medianOf(measured.seconds);
		if (!isElsewhere) measured.cpu = medianOf(cpu[peer]);
	}
	return result;
}

function medianOf(values: number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
