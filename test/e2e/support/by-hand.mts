import type { Execution, SavedWorkflow } from '../../../dev/n8n/client.mts';
import { manualTriggerOf } from '../../../dev/n8n/examples.mts';
import type { Fixture } from './use-fixture.mts';

/** Runs a workflow from its manual trigger, and returns the execution after it has succeeded or failed. */
export async function runByHand(
	{ client }: Pick<Fixture, 'client'>,
	workflow: SavedWorkflow,
): Promise<Execution> {
	const id = await client.runWorkflow(workflow.id, manualTriggerOf(workflow));
	return await client.waitForExecution(id);
}

/** The same for an execution that must succeed. */
export async function runToEnd(
	fixture: Pick<Fixture, 'client'>,
	workflow: SavedWorkflow,
): Promise<Execution> {
	const execution = await runByHand(fixture, workflow);
	expect(execution.data.resultData.error).toBeUndefined();
	expect(execution.status).toBe('success');
	return execution;
}
