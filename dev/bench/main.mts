import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs, promisify } from 'node:util';
import { startBareServer } from './bare-server.mts';
import { bare, readings, updates } from './cases.mts';
import { barChart } from './chart.mts';
import { deliveries, startDeliveries } from './deliveries.mts';
import type { Case, Result, Scene } from './measure.mts';
import { measure } from './measure.mts';
import type { Memory } from './memory.mts';
import { measureOwnTime, type OwnTime } from './own-time.mts';
import { startRemoteSandbox } from './sandbox.mts';

/** What is kept in results.json. */
interface Written {
	machine: { processors: number; model: string; node: string };
	rounds: number;
	from: string;
	results: Result[];
	ownTime?: OwnTime;
	memory?: Memory;
}

const folder = new URL('./', import.meta.url);
const { values } = parseArgs({
	options: { rounds: { type: 'string', default: '5' }, only: { type: 'string', default: '' } },
});
const rounds = Number(values.rounds);
const only = new RegExp(values.only);

// Fewer rounds are for a look.
const ENOUGH_ROUNDS = 5;

const community = (members: number) => async () => await startRemoteSandbox(members);
/**
 * Measures all cases side by side; `--only pattern` measures only some of them and leaves what is written of
 * the others.
 */
const results = [
	...(await runCases(readings, community(1_800))),
	...(await runCases(updates, community(10_000))),
	...(await runCases(bare, () => startBareServer(5_000))),
	...(await runCases([deliveries(200)], startDeliveries)),
];
const ownTime = only.test("This package's own time") ? await runOwnTime() : undefined;
const memory = only.test('Memory of listing 250,000 members') ? await runMemory() : undefined;
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
		ownTime: ownTime ?? before.ownTime,
		memory: memory ?? before.memory,
	};
	await writeFile(file, `${JSON.stringify(written, null, '\t')}\n`);
	const listings = await plot('Listing 1,800 members', all, /^List/);
	await writeFile(new URL('listings.svg', folder), listings);
	const updated = await plot('Updating roles', all, /^Update .* roles/);
	await writeFile(new URL('updates.svg', folder), updated);
}

function replaced(before: Result[], now: Result[]): Result[] {
	const old = before.map((each) => now.find(({ name }) => name === each.name) ?? each);
	return [...old, ...now.filter(({ name }) => !before.some((each) => each.name === name))];
}

async function runCases<S extends Scene & { close: () => Promise<void> }>(
	cases: Array<Case<S>>,
	open: () => Promise<S>,
): Promise<Result[]> {
	const wanted = cases.filter(({ name }) => only.test(name));
	if (wanted.length === 0) return [];
	const scene = await open();
	try {
		// The first runs load and compile what all later ones use.
		for (const each of [wanted[0], wanted[0]]) await measure({ ...each, rounds: 1 }, scene, 1);
		const done: Result[] = [];
		for (const [index, each] of wanted.entries()) {
			// A caller of its own, so that no case starts with what an earlier one learned about the API.
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
	for (const [peer, measured] of Object.entries(peers)) {
		const { seconds, median, cpu, blockedMs, callsPerSecond, records, received } = measured;
		const parts = [
			`${median.toFixed(2)} s (${seconds[0].toFixed(2)} to ${(seconds.at(-1) as number).toFixed(2)})`,
			`x ${(median / ours.median).toFixed(2)}`,
			cpu === undefined ? '' : `processor ${cpu.toFixed(2)} s`,
			blockedMs === undefined ? '' : `blocked ${blockedMs.toFixed(0)} ms`,
			callsPerSecond === undefined ? '' : `${callsPerSecond.toFixed(0)} calls a second`,
			`${records} records`,
			measured.failedRuns === 0 ? '' : `${measured.failedRuns} of ${seconds.length} runs failed`,
			received
				? `${received.total} requests, ${received.refused} refused, ${received.applied} applied, ${received.twice} twice`
				: '',
			measured.beforehand ? `to know beforehand: ${measured.beforehand}` : '',
		];
		console.log(`  ${peer.padEnd(36)} ${parts.filter((part) => part !== '').join('; ')}`);
	}
}

async function runOwnTime(): Promise<OwnTime> {
	await promisify(execFile)('npm', ['run', 'build'], { cwd: new URL('../../', import.meta.url) });
	const sandbox = await startRemoteSandbox(10_000);
	try {
		const own = await measureOwnTime(sandbox, rounds);
		const share = `${(100 * own.share).toFixed(1)} % of all`;
		console.log(`\nOf this package's own code: ${own.msPerItem.toFixed(3)} ms an item, ${share}`);
		return own;
	} finally {
		await sandbox.close();
	}
}

async function runMemory(): Promise<Memory> {
	const script = new URL('memory.mts', folder).pathname;
	const command = ['--expose-gc', '--import', 'tsx', script];
	const { stdout } = await promisify(execFile)(process.execPath, command);
	// n8n's logger writes to the same stream.
	const memory = JSON.parse(stdout.split('\n').find((line) => line.startsWith('{')) as string);
	const { members, json, live, peak, pageMs } = memory as Memory;
	const times = (bytes: number) => (bytes / json).toFixed(2);
	console.log(`\n${members} members: ${times(live)} times their JSON, ${times(peak)} at the peak`);
	console.log(
		`  a page takes ${pageMs.first.toFixed(2)} ms at first, ${pageMs.last.toFixed(2)} at last`,
	);
	return memory;
}

async function plot(title: string, all: Result[], pattern: RegExp): Promise<string> {
	const groups = all
		.filter(({ name }) => pattern.test(name))
		.map(({ name, peers }) => ({
			caption: name,
			bars: Object.entries(peers).map(([label, { median, failedRuns, seconds }]) => ({
				label,
				value: median,
				note: `${median.toFixed(2)} s${failedRuns ? `, ${failedRuns} of ${seconds.length} failed` : ''}`,
			})),
		}));
	return await barChart(`${title}: seconds, shorter is better`, groups);
}
