import type { Instance } from '../instance.mts';
import { together } from '../../tools/together.mts';
import { untilAllOver } from './executions.mts';
import type { Report } from './report.mts';
import type { Stage } from './stage.mts';
import { appliedUpdates, planBatch, sendPart, tally } from './updates.mts';
import { readWorkerLog } from './worker-log.mts';

// Low enough to be met also where everything runs on one busy machine.
const LIMIT = { perSecond: 30, burst: 20, retryAfterSeconds: 1 };
const PART_SIZE = 50;
const TIMEOUT_MS = 120_000;
const AT_ONCE = 4;
const MOST_REFUSED = 0.15;

/**
 * Has two workers update members at an API that allows so many requests a second and tells them apart no
 * more than any API does. Neither knows of the other: each finds its share by being refused.
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
		AT_ONCE,
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
