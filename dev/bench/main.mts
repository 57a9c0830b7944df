import { parseArgs } from 'node:util';
import { listings, updates } from './cases.mts';
import { type Case, measure, type Result } from './measure.mts';
import { measureMemory } from './memory.mts';
import { startRemoteSandbox } from './sandbox.mts';

// Measures all cases side by side, and ends with 0 only if they reach their floors. `--only pattern` measures some of
// them and does not compare them.
const { values } = parseArgs({
	options: { rounds: { type: 'string', default: '9' }, only: { type: 'string' } },
});
const rounds = Number(values.rounds);
const only = new RegExp(values.only ?? '');
const MOST_BLOCKED_MS = 50;
// More than the peer leaves behind.
const MOST_KILOBYTES_PER_RUN = 1;

const findings: string[] = [];
await runCases(listings, 1_800);
await runCases(updates, 5_000);
if (values.only === undefined) {
	const { ours, httpRequest } = await measureMemory();
	const text = `A run leaves ${ours.toFixed(1)} kB behind, one of HTTP Request ${httpRequest.toFixed(1)} kB`;
	console.log(`\n${text}`);
	if (ours - httpRequest > MOST_KILOBYTES_PER_RUN) findings.push(text);
	console.log(`\n${findings.length === 0 ? 'Everything reaches its floor' : findings.join('\n')}`);
	process.exitCode = Math.min(findings.length, 1);
}

async function runCases(cases: Case[], members: number): Promise<void> {
	const wanted = cases.filter(({ name }) => only.test(name));
	if (wanted.length === 0) return;
	const sandbox = await startRemoteSandbox(members);
	try {
		// Enough for V8 to compile the code that a long-running n8n has compiled.
		await measure(wanted[0], sandbox, 5);
		for (const each of wanted) {
			const result = await measure(each, sandbox, rounds);
			print(each, result);
			findings.push(...belowFloor(each, result).map((finding) => `${each.name}: ${finding}`));
		}
	} finally {
		await sandbox.close();
	}
}

function print({ name }: Case, result: Result): void {
	console.log(`\n${name}`);
	const [ours] = Object.values(result);
	for (const [peer, measured] of Object.entries(result)) {
		const { seconds, processorSeconds, blockedMs, records, received } = measured;
		const parts = [
			`${seconds.toFixed(2)} s, x ${(seconds / ours.seconds).toFixed(2)}`,
			`processor ${processorSeconds.toFixed(2)} s, x ${(processorSeconds / ours.processorSeconds).toFixed(2)}`,
			`blocked ${blockedMs.toFixed(0)} ms`,
			records === 0 ? 'FAILED' : `${records} records`,
			`${received.total} requests, ${received.refused} refused, ${received.twice} applied twice`,
		];
		console.log(`  ${peer.padEnd(32)} ${parts.join('; ')}`);
	}
}

/** Names what is slower than required, has lost a record, or has blocked n8n. */
function belowFloor({ floor = 0, ceiling = Infinity }: Case, result: Result): string[] {
	const [ours, httpRequest] = Object.values(result);
	const ratio = httpRequest.seconds / ours.seconds;
	const processor = ours.processorSeconds / httpRequest.processorSeconds;
	const blocked = ours.blockedMs.toFixed(0);
	return [
		...(ratio < floor ? [`${ratio.toFixed(2)}, not ${floor}, times HTTP Request`] : []),
		...(processor > ceiling
			? [`${processor.toFixed(2)}, not ${ceiling}, times the processor time of HTTP Request`]
			: []),
		...(ours.records === 0 ? ['a run of ours failed'] : []),
		...(ours.blockedMs > MOST_BLOCKED_MS ? [`n8n was blocked for ${blocked} ms`] : []),
	];
}
