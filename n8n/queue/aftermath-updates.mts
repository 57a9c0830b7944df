import type { Community } from '../../sandbox/community.mts';
import { listFailed, retryAll, untilAllOver } from './executions.mts';
import { checkFailures } from './failures.mts';
import type { Killing } from './killing.mts';
import type { Report } from './report.mts';
import type { Stage } from './stage.mts';
import { appliedUpdates, type Part, sendPart, tally, type Update } from './updates.mts';
import type { WorkerLog } from './worker-log.mts';

const TIMEOUT_MS = 120_000;

/** The roles of all members at one moment, by msid. */
export type Roles = Map<string, number>;

/** Notes the roles of all members. */
export function rolesNow({ users }: Community): Roles {
	return new Map([...users.values()].map(({ msid, role_id }) => [msid, role_id]));
}

/**
 * Checks what became of a batch when a worker was killed. Everything is read from the community and
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
 * Does what an operator does about a batch after a worker was killed, and checks what it led to: the
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

/** Sends again what does not stand yet, as a workflow does that looks at the members first. */
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
