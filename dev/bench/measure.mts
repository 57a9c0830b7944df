import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Received, RemoteSandbox, Setup } from './sandbox.mts';

/** What the peers work with. */
export interface Scene {
	/** Makes it ready for the next peer. */
	prepare: (setup: Setup) => Promise<void>;
	/** What arrived there since then. */
	received?: (method: string) => Promise<Received>;
}

/** How many records a peer's run gave; 0 when it failed and gave none. */
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
	/** What each peer's user has to know before the run. */
	beforehand?: Record<string, string>;
	/** How many calls one run makes, one after another. */
	calls?: number;
}

export interface Measured {
	/** Seconds, sorted. */
	seconds: number[];
	median: number;
	/** Seconds of a processor that this process used, the median: not touched by what else the machine does. */
	cpu?: number;
	/** The longest block of the event loop in a run in milliseconds, the median: nothing else in n8n runs meanwhile. */
	blockedMs?: number;
	/** Calls a second, of the median. */
	callsPerSecond?: number;
	/** Records that the peer's run gave, the fewest of all rounds. */
	records: number;
	/** How many runs failed and gave nothing. */
	failedRuns: number;
	/** Of the round with the median of refused requests. */
	received?: Received;
	/** What the user has to know before the run. */
	beforehand?: string;
}

export interface Result {
	name: string;
	floor?: number;
	peers: Record<string, Measured>;
}

/** One run of one peer. */
interface Run {
	records: number;
	seconds: number;
	cpu: number;
	blockedMs: number;
}

// How often the event loop is looked at, and how long it is given to begin and to show a block at the very end.
const LOOK_EVERY_MS = 2;
const SETTLE_MS = 20;

/**
 * Runs all peers of a case in turns, so that whatever else the machine does meets all of them.
 *
 * @param rounds how often, unless the case says otherwise
 */
export async function measure<S extends Scene>(
	{ name, peers, setup = {}, method, floor, rounds, isElsewhere, beforehand, calls }: Case<S>,
	scene: S,
	roundsUnlessTold: number,
): Promise<Result> {
	const runs: Record<string, Run[]> = {};
	const received: Record<string, Received[]> = {};
	for (let round = 0; round < (rounds ?? roundsUnlessTold); round++) {
		for (const [peer, work] of Object.entries(peers)) {
			await scene.prepare(setup);
			(runs[peer] ??= []).push(await runOnce(work, scene));
			if (method && scene.received) (received[peer] ??= []).push(await scene.received(method));
		}
	}
	const result: Result = { name, floor, peers: {} };
	for (const [peer, ofPeer] of Object.entries(runs)) {
		const all = (field: keyof Run) => ofPeer.map((run) => run[field]).sort((a, b) => a - b);
		const median = medianOf(all('seconds'));
		result.peers[peer] = {
			seconds: all('seconds'),
			median,
			...(isElsewhere ? {} : { cpu: medianOf(all('cpu')), blockedMs: medianOf(all('blockedMs')) }),
			...(calls ? { callsPerSecond: calls / median } : {}),
			records: all('records')[0],
			failedRuns: ofPeer.filter(({ records }) => records === 0).length,
			received: medianOf((received[peer] ?? []).sort((a, b) => a.refused - b.refused)),
			beforehand: beforehand?.[peer],
		};
	}
	return result;
}

async function runOnce<S extends Scene>(work: Work<S>, scene: S): Promise<Run> {
	globalThis.gc?.();
	const loop = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS });
	loop.enable();
	await sleep(SETTLE_MS);
	const start = performance.now();
	const cpuBefore = process.cpuUsage();
	const records = await work(scene);
	const { user, system } = process.cpuUsage(cpuBefore);
	const seconds = (performance.now() - start) / 1000;
	await sleep(SETTLE_MS);
	loop.disable();
	return { records, seconds, cpu: (user + system) / 1_000_000, blockedMs: loop.max / 1_000_000 };
}

/** The middle one of some sorted values. */
export function medianOf<T>(sorted: T[]): T {
	return sorted[Math.floor(sorted.length / 2)];
}
