import { listMembers } from './peers.mts';
import { startRemoteSandbox } from './sandbox.mts';

const MEMBERS = 100_000;
const SAMPLE_EVERY_MS = 20;

/**
 * Lists 100,000 members and prints, as JSON, how much memory that takes on top of what a small listing
 * has left behind, beside the size of their JSON. For a process of its own, with --expose-gc.
 */
const sandbox = await startRemoteSandbox(MEMBERS);
try {
	const collect = globalThis.gc;
	if (!collect) throw new Error('Start this with node --expose-gc');
	const used = () => {
		collect();
		return process.memoryUsage().heapUsed;
	};
	await listMembers(sandbox, 500);
	const before = used();
	let peak = 0;
	let live = 0;
	const sampling = setInterval(() => {
		peak = Math.max(peak, process.memoryUsage().heapUsed - before);
	}, SAMPLE_EVERY_MS);
	const collecting = setInterval(() => {
		live = Math.max(live, used() - before);
	}, 1_000);
	const items = await listMembers(sandbox);
	live = Math.max(live, used() - before);
	clearInterval(sampling);
	clearInterval(collecting);
	const json = Buffer.byteLength(JSON.stringify(items.map(({ json: record }) => record)));
	console.log(JSON.stringify({ members: items.length, json, live, peak }));
} finally {
	await sandbox.close();
}
