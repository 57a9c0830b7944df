import type { N8nClient } from '../client.mts';
import type { Instance } from '../instance.mts';
import { type Job, together } from '../../tools/together.mts';
import { until } from '../../tools/wait.mts';
import { planDeliveries } from './deliveries.mts';
import {
	countSucceeded,
	listPending,
	type Outcome,
	receivedBody,
	unfinished,
	untilAllOver,
} from './executions.mts';
import type { Stage } from './stage.mts';
import { appliedUpdates, isBeingApplied, type Part, planBatch, sendPart } from './updates.mts';

const PARTS = 40;
const AT_ONCE = 8;
// Slow enough for a worker to be in the middle of sub-executions when it is killed.
const DELAY_MS = 500;
const KILLED_AT = 0.4;
const MOMENT_TIMEOUT_MS = 180_000;
const END_TIMEOUT_MS = 300_000;
const INTERVAL_MS = 20;

/** What happened while a worker was killed, before any execution was retried. */
export interface Killing {
	parts: Part[];
	/** How the executions of each workflow have ended, since nothing else ran. */
	runs: { parts: Outcome; greet: Outcome };
	/** What was waiting or under way at the kill, by execution: the number of the part. */
	pendingParts: Map<string, number>;
	/** The same for deliveries: the event's job_id. */
	pendingDeliveries: Map<string, number>;
	/** The executions that the killed worker had begun and not ended, as far as it came to log that. */
	begun: Set<string>;
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
	const before = {
		parts: await countSucceeded(client, workflows.parts.id),
		greet: await countSucceeded(client, workflows.greet.id),
	};
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
		return await isInTheMiddle(stage, worker, parts);
	}).then(async (killedAt) => ({
		killedAt,
		begun: await unfinished(worker),
		pendingParts: await pendingOf(client, workflows.parts.id, 'part'),
		pendingDeliveries: await pendingOf(client, workflows.greet.id, 'job_id'),
	}));
	const [{ killedAt, ...pending }] = await Promise.all([killing, sending]);

	const answered = sandbox.webhooks.deliveries.filter(({ status }) => status === 200).length;
	const over = async (workflowId: string, earlier: number, count: number): Promise<Outcome> => {
		const all = await untilAllOver(client, workflowId, earlier + count, END_TIMEOUT_MS);
		return { ...all, succeeded: all.succeeded - earlier };
	};
	const runs = {
		parts: await over(workflows.parts.id, before.parts, parts.length),
		greet: await over(workflows.greet.id, before.greet, answered),
	};
	const broken = [...runs.parts.failed, ...runs.greet.failed];
	const noticedMs = Math.max(...broken.map((one) => Date.parse(one.stoppedAt ?? ''))) - killedAt;
	return { parts, runs, ...pending, noticedMs };
}

/** Spreads a few jobs evenly among many. */
export function mix(many: Job[], few: Job[]): Job[] {
	const every = (many.length + few.length) / Math.max(1, few.length);
	const mixed = [...many];
	for (const [index, job] of few.entries()) mixed.splice(Math.floor(index * every), 0, job);
	return mixed;
}

/** Whether a worker is at the sub-execution of a part. */
async function isInTheMiddle(
	{ client, sandbox, workflows }: Stage,
	worker: Instance,
	parts: Part[],
): Promise<boolean> {
	for (const id of await unfinished(worker, workflows.parts.id)) {
		const body = await receivedBody(client, id);
		const part = parts.find(({ number }) => number === body?.part);
		if (part !== undefined && isBeingApplied(sandbox, part)) return true;
	}
	return false;
}

async function killWhen(worker: Instance, isDue: () => Promise<boolean>): Promise<number> {
	await until('the worker to be in the middle of a part', isDue, MOMENT_TIMEOUT_MS, INTERVAL_MS);
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
	const ids = await listPending(client, workflowId);
	const numbers = new Map<string, number>();
	const reading = ids.map((id) => async () => {
		const body = await receivedBody(client, id);
		// Without one, it has succeeded in the meantime.
		if (body !== undefined) numbers.set(id, Number(body[field]));
	});
	await together(reading, AT_ONCE);
	return numbers;
}
