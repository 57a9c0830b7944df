import { readFile } from 'node:fs/promises';
import type { Result } from './measure.mts';
import type { Memory } from './memory.mts';

/** The content of the results. */
export interface Written {
	machine: { processors: number; model: string; node: string };
	rounds: number;
	results: Result[];
	memory: Memory;
}

/** The results of the last whole `npm run bench`, which are not under version control. */
export const RESULTS = new URL('../../.reports/bench.json', import.meta.url);

const HTTP = 'HTTP Request';
// The peer's time divided by ours, because seconds depend on the machine.
const RATIOS = [
	// Three pages at a time request at most two that do not exist (docs/sending.md, "Pagination").
	{ of: 'List 1,800 members for the first time, 20 ms per page', ratio: 2 },
	{ of: 'Update 500 roles', ratio: 1 },
	{ of: 'Update 5,000 roles', ratio: 1 },
	{ of: 'Create or Get 500 known members, 20 ms per answer', ratio: 0.67 },
	{ of: 'Update Members of 500 rows for one board, 20 ms per answer', ratio: 1.5 },
];
const MOST_BLOCKED_MS = 50;
// More than the peer leaves behind.
const MOST_KILOBYTES_PER_RUN = 1;

/**
 * Compares measurements with their floors.
 *
 * @returns a line for each ratio that is too low or was not measured, and for each run that lost a record, blocked n8n
 * or left memory behind
 */
export function belowFloor({ results, memory }: Pick<Written, 'results' | 'memory'>): string[] {
	const slow = RATIOS.flatMap(({ of, ratio }) => {
		const peers = results.find(({ name }) => name === of)?.peers ?? {};
		const [ours] = Object.values(peers);
		const measured = (peers[HTTP]?.seconds ?? NaN) / ours?.seconds;
		return measured >= ratio ? [] : [`${of}: ${measured.toFixed(2)}, not ${ratio}, times ${HTTP}`];
	});
	const ours = results.map(({ name, peers }) => ({ name, ...Object.values(peers)[0] }));
	return [
		...slow,
		...ours
			.filter(({ records }) => records === 0)
			.map(({ name }) => `${name}: a run of ours failed`),
		...ours
			.filter(({ blockedMs }) => blockedMs > MOST_BLOCKED_MS)
			.map(({ name, blockedMs }) => `${name}: n8n was blocked for ${blockedMs.toFixed(0)} ms`),
		...(memory.ours - memory.httpRequest > MOST_KILOBYTES_PER_RUN
			? [
					`A run leaves ${memory.ours.toFixed(1)} kB behind, one of ${HTTP} ${memory.httpRequest.toFixed(1)} kB`,
				]
			: []),
	];
}

// `npm run bench:floor`: ends with 0 only if the last measurements reach their floors.
if (process.argv[1] === import.meta.filename) {
	const findings = belowFloor(JSON.parse(await readFile(RESULTS, 'utf8')) as Written);
	console.log(findings.length === 0 ? 'Everything reaches its floor' : findings.join('\n'));
	if (findings.length > 0) process.exitCode = 1;
}
