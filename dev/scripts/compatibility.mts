import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../n8n/paths.mts';
import { withGenerated } from '../tools/generated.mts';

const PAGE = join(PROJECT_FOLDER, 'docs/administration.md');
const RECORD = join(PROJECT_FOLDER, 'docs/compatibility.json');
const MARK = 'compatibility';
const SCOPES = { engine: 'Its engine', whole: 'All of n8n' };

/** A test run or demo that passed on a version of n8n. */
export interface Run {
	n8n: string;
	/** Only its engine with the tests, or all of n8n with the packed package. */
	scope: keyof typeof SCOPES;
	/** The Node it ran on. */
	node: string;
	/** The number of tests that passed. Left out for the demo in all of n8n. */
	tests?: number;
	/** The day it ran, in UTC, as YYYY-MM-DD. */
	date: string;
}

/** The key of a run. A later run with the same key replaces it in the record. */
export type Place = Pick<Run, 'n8n' | 'scope' | 'node'>;

/** The recorded runs, the newest n8n first. */
export function recordedRuns(): Run[] {
	return JSON.parse(readFileSync(RECORD, 'utf8')) as Run[];
}

/**
 * Adds a run to the record.
 *
 * @param runs the record so far
 * @param place of the run
 * @param passed the result, or undefined if the run failed. In that case, the earlier record is removed
 * @returns the record, the newest n8n first
 */
function withRun(runs: Run[], place: Place, passed?: Omit<Run, keyof Place>): Run[] {
	const others = runs.filter((run) => placeOf(run) !== placeOf(place));
	if (passed === undefined) return others;
	return [...others, { ...place, ...passed }].sort(byVersion);
}

/**
 * The table for docs/administration.md, with a row for each n8n and each kind of run.
 *
 * @param runs in the order of the record
 * @returns Markdown with the date of the oldest run
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
 * @param passed the result, or undefined if the run failed
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
