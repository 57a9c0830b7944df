import type { Community } from '../../../sandbox/community.mts';
import type { ExecutionSummary } from '../client.mts';
import { CONCURRENCY } from './cluster.mts';
import { acceptedDeliveries, copiesOf, countEach, greetings } from './deliveries.mts';
import { listFailed, retryAll, untilAllOver, type WorkerLog } from './executions.mts';
import type { Killing } from './killing.mts';
import type { Report } from './report.mts';
import type { Stage } from './stage.mts';
import { appliedUpdates, type Part, sendPart, tally, type Update } from './updates.mts';

// What the package promises over several workers (docs/scaling.md).
const MOST_DOUBLE = 0.01;
const TIMEOUT_MS = 120_000;

/** The roles of all members at one moment, by msid. */
export type Roles = Map<string, number>;

/** Notes the roles of all members. */
export function rolesNow({ users }: Community): Roles {
	return new Map([...users.values()].map(({ msid, role_id }) => [msid, role_id]));
}

/**
 * Checks the outcome of a batch when a worker was killed. Everything is read from the community and
 * from n8n's list of executions.
 *
 * @param survivor what the other worker has taken
 */
export function checkBatch(
	{ sandbox }: Stage,
	report: Report,
	killing: Killing,
	survivor: WorkerLog,
): void {
	const { parts, runs, pendingParts, noticedMs } = killing;
	const broken = runs.parts.failed;
	const executions = runs.parts.succeeded + broken.length;
	report.check(
		'Every part that was answered 200 has its execution',
		executions === parts.length,
		`${executions} executions for ${parts.length} parts`,
	);
	const failed = { failed: broken, pending: pendingParts };
	checkFailures(report, 'parts', failed, killing, survivor);
	report.figure(
		'From SIGKILL until n8n shows all that ran there as failed',
		`${(noticedMs / 1000).toFixed(0)} s`,
	);

	const numbers = new Set(broken.map(({ id }) => pendingParts.get(id)));
	const updatesOf = (some: Part[]) => some.flatMap(({ updates }) => updates);
	const started = updatesOf(parts.filter(({ number }) => numbers.has(number)));
	const untouched = updatesOf(parts.filter(({ number }) => !numbers.has(number)));
	const { times } = tally(parts, appliedUpdates(sandbox));
	const once = untouched.filter((update) => times(update) === 1).length;
	report.check(
		'Every update that had not started there is applied exactly once',
		once === untouched.length,
		`${once} of ${untouched.length}`,
	);
	const done = started.filter((update) => times(update) === 1).length;
	report.check(
		'Of those that had started there, none is applied twice',
		started.length > 0 && started.every((update) => times(update) <= 1),
		`${done} of ${started.length} were applied before anything was retried`,
	);
}

/**
 * Recovers a batch as an operator does after a worker was killed, and checks the outcome: the
 * sub-executions are retried from n8n's list, and what did not get that far is sent again. n8n cannot
 * retry an execution that it took from the queue and gave up: it has dropped its input.
 *
 * @param before the roles before the batch
 */
export async function mendBatch(
	stage: Stage,
	report: Report,
	{ parts, runs }: Killing,
	before: Roles,
): Promise<void> {
	const { client, workflows } = stage;
	const inVain = runs.parts.failed;
	const saved = await retryAll(client, inVain);
	report.check(
		'Of what was taken from the queue n8n has dropped the input: retrying it fails again',
		saved === 0 && inVain.length > 0,
		`${inVain.length - saved} of ${inVain.length} failed again`,
	);
	const broken = await listFailed(client, workflows.roles.id);
	const successes = await retryAll(client, broken);
	report.check(
		'The failed sub-executions succeed when they are retried from the list',
		successes === broken.length && broken.length > 0,
		`${successes} of ${broken.length}`,
	);
	const sentAgain = await sendMissing(stage, parts);
	checkStanding(stage, report, parts, { before, sentAgain });
}

/** Sends again what was not applied, as a workflow does that reads the members first. */
async function sendMissing(
	{ client, sandbox, partsUrl, workflows }: Stage,
	parts: Part[],
): Promise<number> {
	const roles = rolesNow(sandbox.community);
	const missing = parts
		.map(({ number, updates }) => ({
			number,
			updates: updates.filter(({ msid, role_id }) => roles.get(msid) !== role_id),
		}))
		.filter(({ updates }) => updates.length > 0);
	const workflowId = workflows.parts.id;
	const { succeeded, failed } = await untilAllOver(client, workflowId, 0, TIMEOUT_MS);
	for (const part of missing) await sendPart(partsUrl, part);
	const atLeast = succeeded + failed.length + missing.length;
	await untilAllOver(client, workflowId, atLeast, TIMEOUT_MS);
	return missing.flatMap(({ updates }) => updates).length;
}

function checkStanding(
	{ sandbox }: Stage,
	report: Report,
	parts: Part[],
	{ before, sentAgain }: { before: Roles; sentAgain: number },
): void {
	const after = rolesNow(sandbox.community);
	const updates: Update[] = parts.flatMap((part) => part.updates);
	const standing = updates.filter(({ msid, role_id }) => after.get(msid) === role_id).length;
	report.check(
		'After that, and with the rest sent again, all updates stand',
		standing === updates.length,
		`${standing} of ${updates.length}, ${sentAgain} of them sent again`,
	);
	const wanted: Roles = new Map(before);
	for (const { msid, role_id } of updates) wanted.set(msid, role_id);
	const wrong = [...after].filter(([msid, role]) => wanted.get(msid) !== role).length;
	const { strange } = tally(parts, appliedUpdates(sandbox));
	report.check(
		'None reached the wrong member, none a member that the batch is not about',
		wrong + strange.length === 0,
		`${wrong} wrong roles among ${after.size} members, ${strange.length} strange requests`,
	);
}

/**
 * Checks the outcome of deliveries when a worker was killed.
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
	const copies = copiesOf(accepted);
	const isDouble = (jobId: number) => (times.get(jobId) ?? 0) > 1;
	const laterTwice = copies.later.filter(isDouble).length;
	report.check(
		'Of deliveries that are sent again later, at most 1 in 100 gives its items twice, whichever process takes them',
		laterTwice <= MOST_DOUBLE * copies.later.length && copies.later.length > 0,
		`${laterTwice} of ${copies.later.length}`,
	);
	const { together } = copies;
	report.figure(
		'Deliveries whose copy arrived at the same instant, that gave their items twice',
		`${together.filter(isDouble).length} of ${together.length}`,
	);
	const perExecution = [...countEach(written.map(({ execution }) => execution)).values()];
	report.check(
		'No execution created anything twice',
		perExecution.length > 0 && perExecution.every((count) => count === 1),
		`${written.length} comments by ${perExecution.length} executions`,
	);
}

/**
 * Has the community repeat the deliveries that led to no greeting, and measures how many arrive: a delivery that its
 * worker had recorded before the kill is dropped as a duplicate.
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

/**
 * Checks that an execution failed only if the killed worker had taken it from the queue. Executions taken just before the
 * kill are not in its log; but no other worker has taken them, and a worker runs only so many at once.
 *
 * @param what the executions are about, in the plural
 * @param failed of one workflow
 * @param pending what was waiting or under way at the kill, by execution
 * @param survivor what the other worker has taken
 */
function checkFailures(
	report: Report,
	what: string,
	{ failed, pending }: { failed: ExecutionSummary[]; pending: Map<string, number> },
	{ begun, runs }: Killing,
	survivor: WorkerLog,
): void {
	const count = (isSo: (id: string) => boolean) => failed.filter(({ id }) => isSo(id)).length;
	const elsewhere = count((id) => survivor.started.has(id));
	const over = count((id) => !pending.has(id));
	const atOnce = runs.parts.failed.length + runs.greet.failed.length;
	report.check(
		`In n8n's list, ${what} that the killed worker had taken are failed, and no others`,
		elsewhere + over === 0 && atOnce > 0 && atOnce <= CONCURRENCY,
		`${failed.length} failed, ${count((id) => begun.has(id))} of them begun in its log, ${elsewhere} in that of the other worker`,
	);
}
