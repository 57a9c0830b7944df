import type { ExecutionSummary, N8nClient } from '../client.mts';
import type { Instance } from '../instance.mts';
import { until } from '../wait.mts';
import { planDeliveries } from './deliveries.mts';
import { failed, isOver, receivedBody, untilAllOver } from './executions.mts';
import type { Stage } from './stage.mts';
import { mix, together } from './together.mts';
import { appliedUpdates, type Part, planBatch, sendPart } from './updates.mts';
import { underWay } from './worker-log.mts';

const PARTS = 40;
const AT_ONCE = 8;
// Slow enough for a worker to be in the middle of sub-executions when it is killed.
const DELAY_MS = 500;
const UNDER_WAY_MS = 200;
const KILLED_AT = 0.4;
const MOMENT_TIMEOUT_MS = 180_000;
const END_TIMEOUT_MS = 300_000;
const INTERVAL_MS = 20;

/** What happened while a worker was killed, before anybody retried anything. */
export interface Killing {
	parts: Part[];
	/** The executions of each workflow, all of them over. */
	runs: { parts: ExecutionSummary[]; greet: ExecutionSummary[] };
	/** What was waiting or under way at the kill, by execution: the number of the part. */
	pendingParts: Map<string, number>;
	/** The same for deliveries: the event's job_id. */
	pendingDeliveries: Map<string, number>;
	/** From the kill until n8n had given up the last execution, in milliseconds. */
	noticedMs: number;
}

/**
 * Sends a batch and deliveries with repeats, mixed, and kills a worker with SIGKILL when two fifths of
 * the updates are applied and it is in the middle of some.
 *
 * @param worker the one to kill
 */
export async function killInTheMiddle(
	stage: Stage,
	worker: Instance,
	{ updates, deliveries }: { updates: number; deliveries: number },
): Promise<Killing> {
	const { sandbox, client, partsUrl, workflows } = stage;
	const known = await idsOf(stage);
	sandbox.settings.delayMs = DELAY_MS;
	sandbox.requests.clear();
	sandbox.webhooks.deliveries.length = 0;
	const parts = planBatch(sandbox.community, updates, Math.ceil(updates / PARTS));
	const members = [...sandbox.community.users.values()];
	const jobs = mix(
		planDeliveries(sandbox, members, deliveries),
		parts.map((part) => () => sendPart(partsUrl, part)),
	);
	const sending = together(jobs, AT_ONCE);
	const killing = killWhen(worker, async () => {
		if (appliedUpdates(sandbox).length < KILLED_AT * updates) return false;
		return (await underWay(worker, workflows.parts.id, UNDER_WAY_MS)).length > 0;
	}).then(async (killedAt) => ({
		killedAt,
		pendingParts: await pendingOf(client, workflows.parts.id, 'part'),
		pendingDeliveries: await pendingOf(client, workflows.greet.id, 'job_id'),
	}));
	const [{ killedAt, ...pending }] = await Promise.all([killing, sending]);

	const answered = sandbox.webhooks.deliveries.filter(({ status }) => status === 200).length;
	const over = async (id: string, before: Set<string>, count: number) =>
		(await untilAllOver(client, id, before.size + count, END_TIMEOUT_MS)).filter(
			(run) => !before.has(run.id),
		);
	const runs = {
		parts: await over(workflows.parts.id, known.parts, parts.length),
		greet: await over(workflows.greet.id, known.greet, answered),
	};
	const ends = failed([...runs.parts, ...runs.greet]).map(({ stoppedAt }) => stoppedAt ?? '');
	const noticedMs = Math.max(...ends.map((end) => Date.parse(end))) - killedAt;
	return { parts, runs, ...pending, noticedMs };
}

async function killWhen(worker: Instance, isDue: () => Promise<boolean>): Promise<number> {
	await until(
		'the worker to be in the middle of a part',
		async () => ((await isDue()) ? true : undefined),
		MOMENT_TIMEOUT_MS,
		INTERVAL_MS,
	);
	worker.process.signal('SIGKILL');
	const killedAt = Date.now();
	await worker.process.exited;
	return killedAt;
}

/** Reads at once what the executions are about: n8n forgets it when it gives them up. */
async function pendingOf(
	client: N8nClient,
	workflowId: string,
	field: string,
): Promise<Map<string, number>> {
	const pending = (await client.executions({ workflowId })).filter(({ status }) => !isOver(status));
	const numbers = new Map<string, number>();
	const reading = pending.map(({ id }) => async () => {
		const body = await receivedBody(client, id);
		// Without one, it has come to a good end in the meantime.
		if (body !== undefined) numbers.set(id, Number(body[field]));
	});
	await together(reading, AT_ONCE);
	return numbers;
}

async function idsOf({ client, workflows }: Stage) {
	const ids = async (workflowId: string) =>
		new Set((await client.executions({ workflowId })).map(({ id }) => id));
	return { parts: await ids(workflows.parts.id), greet: await ids(workflows.greet.id) };
}
