import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs, promisify } from 'node:util';
import { listings, updates } from './cases.mts';
import { barChart } from './chart.mts';
import { deliveries, startReceivers } from './deliveries.mts';
import type { Case, Result, Scene } from './measure.mts';
import { measure } from './measure.mts';
import { startRemoteSandbox } from './sandbox.mts';

type Memory = Record<'members' | 'json' | 'live' | 'peak', number>;

/** What is kept in results.json. */
interface Written {
	machine: { processors: number; model: string; node: string };
	rounds: number;
	from: string;
	results: Result[];
	memory?: Memory;
}

const folder = new URL('./', import.meta.url);
const { values } = parseArgs({
	options: { rounds: { type: 'string', default: '5' }, only: { type: 'string', default: '' } },
});
const rounds = Number(values.rounds);

// Fewer rounds are for a look.
const ENOUGH_ROUNDS = 5;

const community = (members: number) => async () => await startRemoteSandbox(members);
/**
 * Measures all cases side by side; `--only text` measures some of them anew and leaves what is written of
 * the others.
 */
const results = [
	...(await runCases(listings, community(1_800))),
	...(await runCases(updates, community(10_000))),
	...(await runCases([deliveries(200)], startReceivers)),
];
const memory = 'Memory of listing 100,000 members'.includes(values.only)
	? await measureMemory()
	: undefined;
if (memory) {
	const [live, peak] = [memory.live / memory.json, memory.peak / memory.json];
	console.log(
		`\n${memory.members} members: ${live.toFixed(2)} times their JSON, ${peak.toFixed(2)} at the peak`,
	);
}
if (rounds >= ENOUGH_ROUNDS) {
	const file = new URL('results.json', folder);
	const before = JSON.parse(await readFile(file, 'utf8')) as Written;
	const all = values.only === '' ? results : replaced(before.results, results);
	const machine = { processors: cpus().length, model: cpus()[0].model, node: process.version };
	const written: Written = {
		machine,
		rounds,
		from: 'sources',
		results: all,
		memory: memory ?? before.memory,
	};
	await writeFile(file, `${JSON.stringify(written, null, '\t')}\n`);
	await writeFile(new URL('listings.svg', folder), plot('Listing 1,800 members', all, /^List/));
	await writeFile(new URL('updates.svg', folder), plot('Updating roles', all, /^Update .* roles/));
}

function replaced(before: Result[], now: Result[]): Result[] {
	const old = before.map((each) => now.find(({ name }) => name === each.name) ?? each);
	return [...old, ...now.filter(({ name }) => !before.some((each) => each.name === name))];
}

async function runCases<S extends Scene & { close: () => Promise<void> }>(
	cases: Array<Case<S>>,
	open: () => Promise<S>,
): Promise<Result[]> {
	const wanted = cases.filter(({ name }) => name.includes(values.only));
	if (wanted.length === 0) return [];
	const scene = await open();
	try {
		// The first runs load and compile what all later ones use.
		for (const each of [wanted[0], wanted[0]]) await measure({ ...each, rounds: 1 }, scene, 1);
		const done: Result[] = [];
		for (const [index, each] of wanted.entries()) {
			// What was learned about the API in one case is of no use, and no hindrance, in the next.
			const caller = { ...scene, sourceSystem: `case-${index}` };
			const result = await measure(each, caller, rounds);
			print(result);
			done.push(result);
		}
		return done;
	} finally {
		await scene.close();
	}
}

function print({ name, floor, peers }: Result): void {
	console.log(`\n${name}${floor ? ` (the limit itself takes ${floor} s)` : ''}`);
	const [ours] = Object.values(peers);
	for (const [peer, { seconds, median, cpu, records, received }] of Object.entries(peers)) {
		const spread = `${seconds[0].toFixed(2)} to ${(seconds.at(-1) as number).toFixed(2)}`;
		const ratio = `x ${(median / ours.median).toFixed(2)}`;
		const processor = cpu === undefined ? '' : `, processor ${cpu.toFixed(2)} s`;
		const wire = received
			? `; ${received.total} requests, ${received.refused} refused, ${received.applied} applied, ${received.twice} twice`
			: '';
		console.log(
			`  ${peer.padEnd(26)} ${median.toFixed(2)} s (${spread}) ${ratio}${processor}; ${records} records${wire}`,
		);
	}
}

async function measureMemory(): Promise<Memory> {
	const script = new URL('memory.mts', folder).pathname;
	const { stdout } = await promisify(execFile)(process.execPath, [
		'--expose-gc',
		'--import',
		'tsx',
		script,
	]);
	// n8n's logger writes to the same stream.
	return JSON.parse(stdout.split('\n').find((line) => line.startsWith('{')) as string);
}

function plot(title: string, all: Result[], pattern: RegExp): string {
	const groups = all
		.filter(({ name }) => pattern.test(name))
		.map(({ name, peers }) => ({
			caption: name,
			bars: Object.entries(peers).map(([label, { median, records }]) => ({
				label,
				value: median,
				note: `${median.toFixed(2)} s${records === 0 ? ', and the run failed' : ''}`,
			})),
		}));
	return barChart(`${title}: seconds, shorter is better`, groups);
}
