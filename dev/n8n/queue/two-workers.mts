import type { Fault } from '../../../sandbox/faults.mts';
import type { Sandbox } from '../../../sandbox/server.mts';
import type { Instance } from '../instance.mts';
import { together } from '../../tools/together.mts';
import { until } from '../../tools/wait.mts';
import { countEach, greetings } from './deliveries.mts';
import { readWorkerLog, untilAllOver } from './executions.mts';
import type { Report } from './report.mts';
import type { Stage } from './stage.mts';
import { appliedUpdates, planBatch, sendPart, tally } from './updates.mts';

const TIMEOUT_MS = 120_000;
const POLL_TIMEOUT_MS = 60_000;
// Low enough to be met also where everything runs on one busy machine.
const LIMIT = { perSecond: 30, burst: 20, retryAfterSeconds: 1 };
const PART_SIZE = 50;
const PARTS_AT_ONCE = 4;
const MOST_REFUSED = 0.15;
const DELIVERIES = 30;
const DELIVERIES_AT_ONCE = 5;
// How often each fault hits a create. After the first two, it is unknown whether the comment exists.
const TIMES = 5;
const LOST: Fault[] = [
	{ kind: 'status', status: 500, applied: true },
	{ kind: 'cut', applied: true },
];
const REFUSED: Fault[] = [{ kind: 'status', status: 429, retryAfter: 1 }];

/**
 * Has two workers update members at an API that allows so many requests a second from both together. Neither knows
 * of the other: each finds its share by being refused.
 *
 * @param workers both
 * @param updates how many
 */
export async function checkPoliteness(
	{ sandbox, client, partsUrl, workflows }: Stage,
	report: Report,
	{ workers, updates }: { workers: Instance[]; updates: number },
): Promise<void> {
	const workflowId = workflows.parts.id;
	const before = await untilAllOver(client, workflowId, 0, TIMEOUT_MS);
	const began = Date.now();
	sandbox.requests.clear();
	sandbox.settings.delayMs = 20;
	sandbox.rateLimit.set(LIMIT);
	const parts = planBatch(sandbox.community, updates, PART_SIZE);
	await together(
		parts.map((part) => () => sendPart(partsUrl, part)),
		PARTS_AT_ONCE,
	);
	const atLeast = before.succeeded + before.failed.length + parts.length;
	const { failed } = await untilAllOver(client, workflowId, atLeast, TIMEOUT_MS);
	const newlyFailed = failed.length - before.failed.length;
	const { refused } = sandbox.rateLimit;
	sandbox.rateLimit.set(null);

	const sent = sandbox.requests.matching('PATCH', '/api/v1/users/');
	const tookMs = (sent.at(-1)?.endedAt ?? 0) - (sent[0]?.startedAt ?? 0);
	const { times } = tally(parts, appliedUpdates(sandbox));
	const once = parts.flatMap((part) => part.updates).filter((update) => times(update) === 1);
	const shares = await Promise.all(workers.map((worker) => partsOf(worker, workflowId, began)));
	report.check(
		`At an API that allows ${LIMIT.perSecond} requests a second, two workers apply every update exactly once`,
		once.length === updates && newlyFailed === 0 && shares.every((share) => share > 0),
		`${once.length} of ${updates} in ${(tookMs / 1000).toFixed(1)} s; ${shares.join(' and ')} parts`,
	);
	report.check(
		`Of all requests, at most ${MOST_REFUSED * 100} % are refused with 429`,
		refused > 0 && refused / sent.length <= MOST_REFUSED,
		`${refused} of ${sent.length} (${((refused / sent.length) * 100).toFixed(1)} %)`,
	);
}

async function partsOf(worker: Instance, workflowId: string, since: number): Promise<number> {
	const { started } = await readWorkerLog(worker);
	const runs = [...started.values()].filter((run) => run.workflowId === workflowId);
	return runs.filter(({ startedAt }) => startedAt >= since).length;
}

/**
 * Has creates fail in ways after which a retry could duplicate them, while both workers greet new members, and
 * checks in the community that none was created twice and none is missing.
 */
export async function checkCreates(
	{ sandbox, client, workflows }: Stage,
	report: Report,
): Promise<void> {
	const workflowId = workflows.greet.id;
	const before = await untilAllOver(client, workflowId, 0, TIMEOUT_MS);
	const earlier = sandbox.webhooks.deliveries.length;
	for (const fault of [...LOST, ...REFUSED]) {
		sandbox.faults.add({ ...fault, method: 'POST', path: '/api/v1/comments', times: TIMES });
	}
	const members = [...sandbox.community.users.values()].slice(0, DELIVERIES);
	await together(
		members.map((member) => () => sandbox.webhooks.announce('member.joined', member)),
		DELIVERIES_AT_ONCE,
	);
	const atLeast = before.succeeded + before.failed.length + DELIVERIES;
	const { failed } = await untilAllOver(client, workflowId, atLeast, TIMEOUT_MS);
	sandbox.faults.clear();

	const sent = sandbox.webhooks.deliveries.slice(earlier);
	const times = countEach(greetings(sandbox).map(({ jobId }) => jobId));
	const created = sent.map(({ payload }) => times.get(payload.job_id) ?? 0);
	const newlyFailed = failed.length - before.failed.length;
	report.check(
		'A create whose answer is lost is not sent again, and fails; one that is refused is sent again',
		created.every((count) => count === 1) && newlyFailed === LOST.length * TIMES,
		`${created.filter((count) => count === 1).length} of ${DELIVERIES} created once, ${newlyFailed} executions failed`,
	);
}

/**
 * Makes a member join while the polling trigger is active, and checks which process did what about it.
 *
 * @param workers all there are
 */
export async function checkPolling(
	{ sandbox, client, workflows }: Stage,
	report: Report,
	workers: Instance[],
): Promise<void> {
	const { id } = workflows.notice;
	sandbox.requests.clear();
	await client.activate(id);
	// A member who joins before the first poll is answered counts as known.
	const answered = async () =>
		sandbox.requests.matching('GET', '/api/v1/users').find(({ endedAt }) => endedAt !== null);
	await until('the polling trigger to have asked', answered, POLL_TIMEOUT_MS);
	const { msid } = sandbox.community.join({ first_name: 'Ada' });
	const noticed = async () => noticesOf(sandbox, msid).length > 0;
	await until('the new member to be noticed', noticed, POLL_TIMEOUT_MS);
	await client.deactivate(id);
	const executions = noticesOf(sandbox, msid);
	const logs = await Promise.all(workers.map(readWorkerLog));
	const byWorkers = executions.filter((execution) =>
		logs.some(({ started }) => started.has(execution)),
	);
	report.check(
		'The main process polls for new members, and a worker carries out what follows, once',
		executions.length === 1 && byWorkers.length === 1,
		`noticed by ${executions.length} execution, ${byWorkers.length} of them on a worker`,
	);
}

// The executions that wrote about a member, as the comments of the workflow begin with them.
function noticesOf({ community }: Sandbox, msid: string): string[] {
	return [...community.comments.values()]
		.map(({ content }) => content.split(' '))
		.filter(([, kind, about]) => kind === 'noticed' && about === msid)
		.map(([execution]) => execution);
}
