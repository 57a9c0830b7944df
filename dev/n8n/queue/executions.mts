import { readFile } from 'node:fs/promises';
import type { IDataObject } from 'n8n-workflow';
import type { ExecutionSummary, N8nClient } from '../client.mts';
import type { Instance } from '../instance.mts';
import { until } from '../../tools/wait.mts';

const PENDING = ['new', 'running', 'waiting', 'unknown'];
const SUCCEEDED = ['success'];
const FAILED = ['error', 'crashed', 'canceled'];
const INTERVAL_MS = 1_000;

/**
 * Counts the executions of a workflow that have ended well. They are counted and not listed: n8n pages
 * its list by id but sorts it by the time of the start, so that beyond one page some show up twice and
 * some not at all when many have waited in the queue.
 */
export async function countSucceeded(client: N8nClient, workflowId: string): Promise<number> {
	return await count(client, workflowId, SUCCEEDED);
}

/** Lists the executions of a workflow that ended otherwise than well: few enough for one page. */
export async function listFailed(
	client: N8nClient,
	workflowId: string,
): Promise<ExecutionSummary[]> {
	return await client.executions({ workflowId, status: FAILED });
}

/** Lists the executions of a workflow that wait or run, each once. */
export async function listPending(client: N8nClient, workflowId: string): Promise<string[]> {
	// Apart from each other: one kind has no start to be sorted by, of the other there are few.
	const lists = await Promise.all(
		PENDING.map((status) => client.executions({ workflowId, status: [status] })),
	);
	return [...new Set(lists.flat().map(({ id }) => id))];
}

/** How the executions of a workflow have ended. */
export interface Outcome {
	succeeded: number;
	failed: ExecutionSummary[];
}

/**
 * Waits until a workflow has ended so many executions and none of it is left.
 *
 * @param atLeast how many there are to be, since the workflow was made
 * @returns how they have ended
 * @throws when the time is up
 */
export async function untilAllOver(
	client: N8nClient,
	workflowId: string,
	atLeast: number,
	timeoutMs: number,
): Promise<Outcome> {
	return await until(
		`${atLeast} executions of workflow ${workflowId} to end`,
		async () => {
			if ((await count(client, workflowId, PENDING)) > 0) return false;
			const succeeded = await countSucceeded(client, workflowId);
			const failed = await listFailed(client, workflowId);
			return succeeded + failed.length >= atLeast && { succeeded, failed };
		},
		timeoutMs,
		INTERVAL_MS,
	);
}

/**
 * Reads what came in by webhook and started an execution. Of one whose worker was killed n8n keeps it
 * only until it gives the execution up.
 *
 * @returns the request's body, or undefined when n8n keeps it no more
 */
export async function receivedBody(
	client: N8nClient,
	id: string,
): Promise<IDataObject | undefined> {
	const { data } = await client.execution(id);
	const [first] = data.executionData?.nodeExecutionStack ?? [];
	return first?.data.main[0]?.[0]?.json.body as IDataObject | undefined;
}

/**
 * Repeats failed executions one after another, as an operator does from the list.
 *
 * @returns how many of them succeeded this time
 */
export async function retryAll(client: N8nClient, failures: ExecutionSummary[]): Promise<number> {
	let successes = 0;
	for (const { id } of failures) {
		const { status } = await client.retryExecution(id);
		if (status === 'success') successes++;
	}
	return successes;
}

async function count(client: N8nClient, workflowId: string, status: string[]): Promise<number> {
	const filter = JSON.stringify({ workflowId, status });
	const page = await client.call<{ count: number }>('GET', '/executions', undefined, {
		filter,
		limit: 1,
	});
	return page.count;
}

/** An execution that a worker took from the queue. */
export interface Run {
	workflowId: string;
	/** Milliseconds since 1970. */
	startedAt: number;
}

/** What a worker says it has begun and ended, by execution id. */
export interface WorkerLog {
	started: Map<string, Run>;
	finished: Set<string>;
}

/**
 * Reads from a worker's log which executions it took from the queue. n8n tells it nowhere else.
 *
 * @param worker one that logs as JSON
 */
export async function readWorkerLog({ logFile }: Instance): Promise<WorkerLog> {
	const log: WorkerLog = { started: new Map(), finished: new Set() };
	for (const line of (await readFile(logFile, 'utf8')).split('\n')) {
		const entry = parse(line);
		if (!entry?.metadata?.executionId) continue;
		const { executionId, workflowId = '', timestamp = '' } = entry.metadata;
		if (entry.message.startsWith('Worker started execution')) {
			log.started.set(executionId, { workflowId, startedAt: Date.parse(timestamp) });
		}
		if (entry.message.startsWith('Worker finished execution')) log.finished.add(executionId);
	}
	return log;
}

/**
 * The executions that a worker has begun and not ended.
 *
 * @param workflowId only those of this workflow
 * @returns their ids
 */
export async function unfinished(worker: Instance, workflowId?: string): Promise<Set<string>> {
	const { started, finished } = await readWorkerLog(worker);
	const isWanted = (run: Run) => workflowId === undefined || run.workflowId === workflowId;
	const ids = [...started].filter(([id, run]) => isWanted(run) && !finished.has(id));
	return new Set(ids.map(([id]) => id));
}

interface LogLine {
	message: string;
	metadata?: { executionId?: string; workflowId?: string; timestamp?: string };
}

// The last line may be half written, and warnings of Node itself are no JSON.
function parse(line: string): LogLine | undefined {
	if (!line.startsWith('{')) return undefined;
	try {
		return JSON.parse(line) as LogLine;
	} catch {
		return undefined;
	}
}
