import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Sandbox } from '../../../sandbox/server.mts';
import { launcher } from '../launcher.mts';
import type { Instance } from '../instance.mts';
import { packPackage } from '../pack.mts';
import { PROJECT_FOLDER } from '../paths.mts';
import { withGenerated } from '../../tools/generated.mts';
import { stopAll } from '../../tools/processes.mts';
import { step } from '../../tools/progress.mts';
import { demand, missingSpace } from '../requirements.mts';
import { temporaryFolder } from '../../tools/temporary-folder.mts';
import { checkBatch, checkDeliveries, mendBatch, rolesNow, sendLostAgain } from './aftermath.mts';
import { Cluster } from './cluster.mts';
import { checkComposeFile } from './compose.mts';
import { checkEnding } from './ending.mts';
import { readWorkerLog, untilAllOver } from './executions.mts';
import { killInTheMiddle } from './killing.mts';
import { measureRates } from './rates.mts';
import { Report } from './report.mts';
import { openCommunity, setUp, type Stage } from './stage.mts';
import { checkCreates, checkPoliteness, checkPolling } from './two-workers.mts';

const GIGABYTES_NEEDED = 1;
const DOCUMENT = join(PROJECT_FOLDER, 'docs/scaling.md');
const LOG_FOLDER = join(PROJECT_FOLDER, '.reports/queue');
const MARK = 'measured';
const RETURN_TIMEOUT_MS = 120_000;

/** How much is sent. */
export interface Amounts {
	/** Role updates in the batch during which a worker is killed. */
	updates: number;
	/** Deliveries meanwhile, the repeated ones included. */
	deliveries: number;
}

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

/**
 * Runs the package in n8n's queue mode, kills a worker in the middle of a batch, and checks in the
 * community what was applied.
 *
 * @param folder existing and empty, for everything that the processes write
 * @param opened is told what has to be ended, also when this does not get to its end
 * @returns what was checked and measured
 */
async function runInQueueMode(
	folder: string,
	amounts: Amounts,
	opened: { sandbox?: Sandbox; cluster?: Cluster },
): Promise<Report> {
	const report = new Report();
	await launcher().prepare();
	await checkComposeFile(report);
	const packages = join(folder, 'package');
	await mkdir(packages);
	const tarball = await step('Build and pack the package', () => packPackage(packages), basename);
	const sandbox = await openCommunity(amounts.updates);
	opened.sandbox = sandbox;
	const cluster = await step('Start Redis and Postgres', () => Cluster.open(folder, tarball));
	opened.cluster = cluster;
	const main = await step('Start the main process', () => cluster.startMain());
	const [webhook, first] = await step('Start a webhook processor and a worker', () =>
		Promise.all([cluster.startWebhook(), cluster.startWorker('worker-1')]),
	);
	const stage = await step('Add the workflows', () => setUp(cluster, sandbox, main, webhook));

	await rate(stage, report, amounts, 'one worker');
	const second = await step('Start a second worker', () => cluster.startWorker('worker-2'));
	await rate(stage, report, amounts, 'two workers');
	const returned = await killAndCheck(stage, report, amounts, {
		main,
		worker: second,
		other: first,
	});
	// First, because the rate that is learned from the refusals of the next step would make this one easy.
	await step('Have both workers share an API that refuses', () =>
		checkPoliteness(stage, report, { workers: [first, returned], updates: amounts.updates / 2 }),
	);
	await step('Lose the answers of creates', () => checkCreates(stage, report));
	await step('Poll for new members', () => checkPolling(stage, report, [first, returned]));
	await step('Ask a worker to end', () => checkEnding(stage, report, returned));
	return report;
}

async function rate(
	stage: Stage,
	report: Report,
	{ updates, deliveries }: Amounts,
	workers: string,
): Promise<void> {
	await step(`Measure with ${workers}`, () =>
		measureRates(stage, report, {
			updates: updates / 2,
			deliveries: Math.round(deliveries / 4),
			workers,
		}),
	);
}

async function killAndCheck(
	stage: Stage,
	report: Report,
	amounts: Amounts,
	{ main, worker, other }: { main: Instance; worker: Instance; other: Instance },
): Promise<Instance> {
	const before = rolesNow(stage.sandbox.community);
	const killing = await step('Kill a worker in the middle of it all', () =>
		killInTheMiddle(stage, worker, amounts),
	);
	const returned = await step('Start the worker again', () =>
		stage.cluster.startWorker('worker-2'),
	);
	await step('Start the main process again', async () => {
		await main.stop();
		await stage.cluster.startMain(main.ports);
	});
	await checkNothingLeft(stage, report);
	const survivor = await readWorkerLog(other);
	checkBatch(stage, report, killing, survivor);
	checkDeliveries(stage, report, killing, survivor);
	await step('Retry what failed', async () => {
		await mendBatch(stage, report, killing, before);
		await sendLostAgain(stage, report);
	});
	return returned;
}

/**
 * Sub-executions are not in the queue. n8n notices that they are over when their worker is back, and
 * those of which the worker had not yet noted down anything, when the main process starts.
 */
async function checkNothingLeft({ client, workflows }: Stage, report: Report): Promise<void> {
	const { succeeded, failed } = await untilAllOver(
		client,
		workflows.roles.id,
		1,
		RETURN_TIMEOUT_MS,
	);
	report.check(
		'Sub-executions on the killed worker are shown as crashed once it is back, and nothing as running',
		failed.length > 0 && failed.every(({ status }) => status === 'crashed'),
		`${failed.length} crashed, ${succeeded} succeeded`,
	);
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
	await writeFile(DOCUMENT, withGenerated(text, MARK, report.toMarkdown()));
}
