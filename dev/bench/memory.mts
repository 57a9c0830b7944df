import { medianOf } from './measure.mts';
import { listMembers } from './peers.mts';
import type { RemoteSandbox } from './sandbox.mts';
import { startRemoteSandbox } from './sandbox.mts';

/** What a long listing takes. */
export interface Memory {
	members: number;
	/** Bytes of the records as JSON. */
	json: number;
	/** Bytes on top of what a small listing has left behind: in use, and with what was not collected yet. */
	live: number;
	peak: number;
	/** Milliseconds from one page to the next, in the first and the last fifth of the listing; medians of three. */
	pageMs: { first: number; last: number };
}

const MEMBERS = 250_000;
const SAMPLE_EVERY_MS = 20;
const COLLECT_EVERY_MS = 1_000;
const LISTINGS = 3;

/**
 * Lists 250,000 members and prints what that takes, as JSON. For a process of its own, with --expose-gc.
 */
const sandbox = await startRemoteSandbox(MEMBERS);
try {
	await listMembers(sandbox, 500);
	const memory = await memoryOf(sandbox);
	// Again, because collecting takes time.
	const times: Array<Memory['pageMs']> = [];
	for (let round = 0; round < LISTINGS; round++) {
		times.push(await timesOf({ ...sandbox, sourceSystem: `listing-${round}` }));
	}
	const median = (part: 'first' | 'last') =>
		medianOf(times.map((each) => each[part]).sort((a, b) => a - b));
	const pageMs = { first: median('first'), last: median('last') };
	console.log(JSON.stringify({ ...memory, pageMs } satisfies Memory));
} finally {
	await sandbox.close();
}

async function memoryOf(community: RemoteSandbox): Promise<Omit<Memory, 'pageMs'>> {
	const before = used();
	let peak = 0;
	let live = 0;
	const sampling = setInterval(() => {
		peak = Math.max(peak, process.memoryUsage().heapUsed - before);
	}, SAMPLE_EVERY_MS);
	const collecting = setInterval(() => {
		live = Math.max(live, used() - before);
	}, COLLECT_EVERY_MS);
	const items = await listMembers(community);
	live = Math.max(live, used() - before);
	clearInterval(sampling);
	clearInterval(collecting);
	let json = 0;
	for (const { json: record } of items) json += Buffer.byteLength(JSON.stringify(record)) + 1;
	return { members: items.length, json, live, peak };
}

// As a caller for whom the listing is new.
async function timesOf(community: RemoteSandbox): Promise<Memory['pageMs']> {
	await community.prepare({});
	await listMembers(community);
	const arrivals = await community.arrivals('GET');
	const fifth = Math.floor(arrivals.length / 5);
	const meanOf = (times: number[]) => ((times.at(-1) as number) - times[0]) / (times.length - 1);
	return { first: meanOf(arrivals.slice(0, fifth)), last: meanOf(arrivals.slice(-fifth)) };
}

function used(): number {
	if (!globalThis.gc) throw new Error('Start this with node --expose-gc');
	globalThis.gc();
	return process.memoryUsage().heapUsed;
}
