import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { listings, updates } from './cases.mts';
import { RESULTS, type Written } from './floors.mts';
import { type Case, measure, type Result } from './measure.mts';
import { measureMemory } from './memory.mts';
import { startRemoteSandbox } from './sandbox.mts';

// Measures all cases side by side and writes the results; `--only pattern` measures some of them and writes nothing.
const { values } = parseArgs({
	options: { rounds: { type: 'string', default: '9' }, only: { type: 'string' } },
});
const rounds = Number(values.rounds);
const only = new RegExp(values.only ?? '');

const results = [...(await runCases(listings, 1_800)), ...(await runCases(updates, 5_000))];
if (values.only === undefined) {
	const memory = await measureMemory();
	const { runs, ours, httpRequest } = memory;
	console.log(
		`\nA run leaves ${ours.toFixed(1)} kB behind, one of HTTP Request ${httpRequest.toFixed(1)} kB (${runs} runs)`,
	);
	const machine = { processors: cpus().length, model: cpus()[0].model, node: process.version };
	const written: Written = { machine, rounds, results, memory };
	await mkdir(new URL('.', RESULTS), { recursive: true });
	await writeFile(RESULTS, `${JSON.stringify(written, null, '\t')}\n`);
}

async function runCases(cases: Case[], members: number): Promise<Result[]> {
	const wanted = cases.filter(({ name }) => only.test(name));
	if (wanted.length === 0) return [];
	const sandbox = await startRemoteSandbox(members);
	try {
		// Enough for V8 to compile the code that a long-running n8n has compiled.
		await measure(wanted[0], sandbox, 5);
		const done: Result[] = [];
		for (const each of wanted) {
			const result = await measure(each, sandbox, rounds);
			print(result);
			done.push(result);
		}
		return done;
	} finally {
		await sandbox.close();
	}
}

function print({ name, peers }: Result): void {
	console.log(`\n${name}`);
	const [ours] = Object.values(peers);
	for (const [peer, { seconds, blockedMs, records, received }] of Object.entries(peers)) {
		const parts = [
			`${seconds.toFixed(2)} s, x ${(seconds / ours.seconds).toFixed(2)}`,
			`blocked ${blockedMs.toFixed(0)} ms`,
			records === 0 ? 'FAILED' : `${records} records`,
			`${received.total} requests, ${received.refused} refused, ${received.twice} applied twice`,
		];
		console.log(`  ${peer.padEnd(32)} ${parts.join('; ')}`);
	}
}
