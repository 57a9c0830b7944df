import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../n8n/paths.mts';
import { withGenerated } from '../tools/generated.mts';

const PAGE = join(PROJECT_FOLDER, 'docs/administration.md');
const RECORD = join(PROJECT_FOLDER, 'docs/compatibility.json');
const MARK = 'compatibility';
const SCOPES = { engine: 'Its engine', whole: 'All of n8n' };

/** Something that ran on a version of n8n, and passed. */
export interface Run {
	n8n: string;
	/** Its engine alone, below the tests, or all of n8n with the packed package in it. */
	scope: keyof typeof SCOPES;
	/** The Node it ran on. */
	node: string;
	/** How many tests passed; left out for the demo, which is what runs in all of n8n. */
	tests?: number;
	/** The day it ran, in UTC, as YYYY-MM-DD. */
	date: string;
}

/** The key of a run in the record: a later run with the same key replaces it. */
export type Place = Pick<Run, 'n8n' | 'scope' | 'node'>;

/** The runs that are on record, the newest n8n first. */
export function recordedRuns(): Run[] {
	return JSON.parse(readFileSync(RECORD, 'utf8')) as Run[];
}

/**
 * Puts a run on record.
 *
 * @param runs the record so far
 * @param place of the run
 * @param passed what passed, or undefined if it did not; then what was on record no longer holds either
 * @returns the record, the newest n8n first
 */
function withRun(runs: Run[], place: Place, passed?: Omit<Run, keyof Place>): Run[] {
	const others = runs.filter((run) => placeOf(run) !== placeOf(place));
	if (passed === undefined) return others;
	return [...others, { ...place, ...passed }].sort(byVersion);
}

/**
 * The table for docs/administration.md: a row for each n8n and each way it ran.
 *
 * @param runs in the order of the record
 * @returns Markdown; the date is that of the run which is the longest ago
 */
export function compatibilityTable(runs: Run[]): string {
	const rows = new Map<string, Run[]>();
	for (const run of runs) {
		const key = [run.n8n, run.scope, run.tests].join(' ');
		rows.set(key, [...(rows.get(key) ?? []), run]);
	}
	const lines = [...rows.values()].map((same) => {
		const [{ n8n, scope, tests }] = same;
		const nodes = same.map(({ node }) => node).join(', ');
		const [date] = same.map((run) => run.date).sort();
		return `| ${n8n} | ${SCOPES[scope]} | ${nodes} | ${tests ?? 'the demo'} | ${date} |`;
	});
	return ['| n8n | what ran | on Node.js | tests | on |', '|---|---|---|---|---|', ...lines].join(
		'\n',
	);
}

/**
 * Records a run in docs/compatibility.json and in docs/administration.md, with today's date.
 *
 * @param place of the run
 * @param passed what passed, or undefined if the run did not pass
 */
export async function record(place: Place, passed?: Pick<Run, 'tests'>): Promise<void> {
	const date = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
	const runs = withRun(recordedRuns(), place, passed && { ...passed, date });
	await writeFile(RECORD, `${JSON.stringify(runs, null, '\t')}\n`);
	const text = readFileSync(PAGE, 'utf8');
	await writeFile(PAGE, withGenerated(text, MARK, compatibilityTable(runs)));
}

function placeOf({ n8n, scope, node }: Place): string {
	const [generation] = node.split('.');
	return [n8n, scope, generation].join(' ');
}

function byVersion(one: Run, other: Run): number {
	return (
		compareNumbers(other.n8n, one.n8n) ||
		other.scope.localeCompare(one.scope) ||
		compareNumbers(one.node, other.node)
	);
}

function compareNumbers(one: string, other: string): number {
	return one.localeCompare(other, 'en', { numeric: true });
}
