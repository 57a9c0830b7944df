import type { Fault } from '../../sandbox/faults.mts';
import { together } from '../../tools/together.mts';
import { countEach, greetings } from './deliveries.mts';
import { untilAllOver } from './executions.mts';
import type { Report } from './report.mts';
import type { Stage } from './stage.mts';

const DELIVERIES = 30;
const AT_ONCE = 5;
const TIMEOUT_MS = 120_000;
// As often as each befalls a create. After the first two nobody can know whether there is a comment.
const TIMES = 5;
const LOST: Fault[] = [
	{ kind: 'status', status: 500, applied: true },
	{ kind: 'cut', applied: true },
];
const REFUSED: Fault[] = [{ kind: 'status', status: 429, retryAfter: 1 }];

/**
 * Has creates end in ways that tempt to send them again, while both workers greet new members, and
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
		AT_ONCE,
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
