import type { IDataObject } from 'n8n-workflow';
import type { ExecutionSummary, N8nClient } from '../client.mts';
import { until } from '../wait.mts';

const OVER = ['success', 'error', 'crashed', 'canceled'];
const INTERVAL_MS = 1_000;

/**
 * Waits until a workflow has ended so many executions and none of it is left.
 *
 * @param atLeast how many there are to be
 * @returns all of them, newest first
 * @throws when the time is up
 */
export async function untilAllOver(
	client: N8nClient,
	workflowId: string,
	atLeast: number,
	timeoutMs: number,
): Promise<ExecutionSummary[]> {
	return await until(
		`${atLeast} executions of workflow ${workflowId} to end`,
		async () => {
			const all = await client.executions({ workflowId });
			const areOver = all.length >= atLeast && all.every(({ status }) => isOver(status));
			return areOver ? all : undefined;
		},
		timeoutMs,
		INTERVAL_MS,
	);
}

/** Whether an execution with this status has ended. */
export function isOver(status: string): boolean {
	return OVER.includes(status);
}

/** The executions that ended otherwise than well. */
export function failed(executions: ExecutionSummary[]): ExecutionSummary[] {
	return executions.filter(({ status }) => status !== 'success');
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
