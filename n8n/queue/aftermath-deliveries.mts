import { acceptedDeliveries, countEach, greetings } from './deliveries.mts';
import { untilAllOver } from './executions.mts';
import { checkFailures } from './failures.mts';
import type { Killing } from './killing.mts';
import type { Report } from './report.mts';
import type { Stage } from './stage.mts';
import type { WorkerLog } from './worker-log.mts';

// What the package promises over several workers (docs/scaling.md).
const MOST_DOUBLE = 0.01;
const TIMEOUT_MS = 120_000;

/**
 * Checks what became of deliveries when a worker was killed.
 *
 * @param survivor what the other worker has taken
 */
export function checkDeliveries(
	{ sandbox }: Stage,
	report: Report,
	killing: Killing,
	survivor: WorkerLog,
): void {
	const { runs, pendingDeliveries } = killing;
	const accepted = acceptedDeliveries(sandbox);
	const answered = [...accepted.values()].flat().length;
	const sent = sandbox.webhooks.deliveries.length;
	const repeats = answered - accepted.size;
	const broken = runs.greet.failed;
	const executions = runs.greet.succeeded + broken.length;
	report.check(
		'Every delivery that was answered 200 has its execution',
		executions >= answered && executions <= sent && answered > 0,
		`${executions} executions, ${answered} of ${sent} answered 200`,
	);
	const failed = { failed: broken, pending: pendingDeliveries };
	checkFailures(report, 'deliveries', failed, killing, survivor);

	const excused = new Set(broken.map(({ id }) => pendingDeliveries.get(id)));
	const written = greetings(sandbox).filter(({ jobId }) => accepted.has(jobId));
	const times = countEach(written.map(({ jobId }) => jobId));
	const others = [...accepted.keys()].filter((jobId) => !excused.has(jobId));
	const reached = others.filter((jobId) => times.has(jobId)).length;
	report.check(
		'Every new delivery has its items, unless its worker was killed',
		reached === others.length,
		`${reached} of ${others.length}, ${excused.size} more on the killed worker`,
	);
	const double = [...times.values()].reduce((sum, count) => sum + count - 1, 0);
	report.check(
		'At most 1 in 100 new deliveries has them twice, whichever process took the repeats',
		double <= MOST_DOUBLE * accepted.size && repeats > 0,
		`${double} of ${accepted.size}, with ${repeats} repeats`,
	);
	const perExecution = [...countEach(written.map(({ execution }) => execution)).values()];
	report.check(
		'No execution created anything twice',
		perExecution.length > 0 && perExecution.every((count) => count === 1),
		`${written.length} comments by ${perExecution.length} executions`,
	);
}

/**
 * Has the community send again what nobody was greeted for, and measures how much of it arrives: a
 * delivery that its worker had noted down before the kill is taken for a repeat.
 */
export async function sendLostAgain(
	{ client, sandbox, workflows }: Stage,
	report: Report,
): Promise<void> {
	const accepted = acceptedDeliveries(sandbox);
	const greeted = () => new Set(greetings(sandbox).map(({ jobId }) => jobId));
	const before = greeted();
	const lost = [...accepted].filter(([jobId]) => !before.has(jobId));
	const workflowId = workflows.greet.id;
	const { succeeded, failed } = await untilAllOver(client, workflowId, 0, TIMEOUT_MS);
	for (const [, [{ number }]] of lost) await sandbox.webhooks.repeat(number);
	const atLeast = succeeded + failed.length + lost.length;
	await untilAllOver(client, workflowId, atLeast, TIMEOUT_MS);
	const after = greeted();
	const found = lost.filter(([jobId]) => after.has(jobId)).length;
	report.figure('New deliveries lost with the killed worker', `${lost.length} of ${accepted.size}`);
	report.figure('Of these, accepted when they are sent again', `${found} of ${lost.length}`);
}
