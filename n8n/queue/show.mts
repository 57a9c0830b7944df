import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox/server.mts';
import { PROJECT_FOLDER } from '../paths.mts';
import { stopAll } from '../../tools/processes.mts';
import { demand, missingSpace } from '../requirements.mts';
import { temporaryFolder } from '../../tools/temporary-folder.mts';
import type { Cluster } from './cluster.mts';
import type { Report } from './report.mts';
import { type Amounts, runInQueueMode } from './run.mts';

const GIGABYTES_NEEDED = 1;
const DOCUMENT = join(PROJECT_FOLDER, 'docs/scaling.md');
const LOG_FOLDER = join(PROJECT_FOLDER, '.reports/queue');
const MARKS = /(<!-- measured -->\n)[^]*(\n<!-- \/measured -->)/;

/**
 * Runs queue mode, prints what was checked and measured, and ends all that was started.
 *
 * @param options.write put the figures into docs/scaling.md, if everything held
 * @returns the exit code: 0 only if everything held
 * @throws MissingRequirement when the machine lacks something; otherwise what went wrong
 */
export async function showQueueMode(
	amounts: Amounts,
	{ write }: { write: boolean },
): Promise<number> {
	demand(await missingSpace(tmpdir(), GIGABYTES_NEEDED, 'queue mode'));
	const folder = await temporaryFolder('community-platform-queue');
	const opened: { sandbox?: Sandbox; cluster?: Cluster } = {};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		// Everything ends with this process, and the folders are removed (last-will.mts).
		process.once(signal, () => process.exit(130));
	}
	let report: Report | undefined;
	try {
		report = await runInQueueMode(folder.path, amounts, opened);
	} finally {
		if (!report?.allHeld) await keepLogs(folder.path);
		await opened.cluster?.close();
		await stopAll();
		await opened.sandbox?.close();
		await folder.remove();
	}
	checkNothingSurvives(report, opened.cluster?.pids ?? []);
	console.log(`\n${report.toText()}\n`);
	if (write && report.allHeld) await writeDocument(report);
	return report.allHeld ? 0 : 1;
}

function checkNothingSurvives(report: Report, pids: number[]): void {
	const alive = pids.filter(isAlive);
	report.check(
		'Nothing that was started survives',
		pids.length > 0 && alive.length === 0,
		`${pids.length} processes, ${alive.length} alive`,
	);
}

function isAlive(pid: number): boolean {
	try {
		// Signal 0 only asks.
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

async function keepLogs(folder: string): Promise<void> {
	await rm(LOG_FOLDER, { recursive: true, force: true });
	for (const name of await readdir(folder)) {
		const log = await readFile(join(folder, name, 'n8n.log')).catch(() => undefined);
		if (log === undefined) continue;
		await mkdir(LOG_FOLDER, { recursive: true });
		await writeFile(join(LOG_FOLDER, `${name}.log`), log);
	}
	console.error(`The logs were kept: ${LOG_FOLDER}`);
}

async function writeDocument(report: Report): Promise<void> {
	const text = await readFile(DOCUMENT, 'utf8');
	await writeFile(
		DOCUMENT,
		text.replace(MARKS, (_all, begin, end) => `${begin}\n${report.toMarkdown()}\n${end}`),
	);
}
