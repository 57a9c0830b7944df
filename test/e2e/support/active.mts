import type { Execution, SavedWorkflow } from '../../../dev/n8n/client.mts';
import { until } from '../../../dev/tools/wait.mts';
import { productionUrl, untilRegistered } from '../../../dev/n8n/webhooks.mts';
import type { Fixture } from './use-fixture.mts';

/** How an execution can end. */
export const ENDED = ['success', 'error', 'crashed', 'canceled'];
const EXECUTIONS_TIMEOUT_MS = 40_000;

/** Functions for workflows that start automatically. */
export interface Activation {
	/** Activates a workflow until the end of the test. */
	activate: (workflow: SavedWorkflow) => Promise<void>;
	/** Activates a workflow with a webhook trigger, waits until n8n serves it, and returns its URL. */
	open: (workflow: SavedWorkflow) => Promise<string>;
}

/**
 * Lets the tests of a file activate workflows. Each is deactivated after its test.
 *
 * @param fixture an n8n and a client that is logged in
 */
export function useActivation(fixture: Pick<Fixture, 'client' | 'url'>): Activation {
	const active: string[] = [];
	afterEach(async () => {
		for (const id of active.splice(0)) await fixture.client.deactivate(id);
	});
	const activate = async ({ id }: SavedWorkflow) => {
		await fixture.client.activate(id);
		active.push(id);
	};
	const open = async (workflow: SavedWorkflow) => {
		await activate(workflow);
		const url = productionUrl(fixture.url, workflow);
		await untilRegistered(url);
		return url;
	};
	return { activate, open };
}

/** Waits until a polling trigger for active members has started this many polls. All but the last one have ended. */
export async function polls(
	{ sandbox: { requests } }: Pick<Fixture, 'sandbox'>,
	times = 2,
): Promise<void> {
	const begun = () =>
		requests
			.matching('GET', '/api/v1/users')
			.filter(({ query }) => query.status === '10' && query.page === '1').length;
	const enough = begun() + times;
	await until('the trigger to poll', async () => begun() >= enough, EXECUTIONS_TIMEOUT_MS);
}

/**
 * Waits for this many executions of a workflow.
 *
 * @param count the expected number of executions. More are an immediate failure
 * @returns all of them with their data, the oldest first
 */
export async function executionsOf(
	{ client }: Pick<Fixture, 'client'>,
	{ id, name }: SavedWorkflow,
	count: number,
): Promise<Execution[]> {
	const ended = await until(
		`${count} executions of “${name}”`,
		async () => {
			const all = await client.executions({ workflowId: id });
			if (all.length > count) throw new Error(`“${name}” ran ${all.length} times, not ${count}`);
			const done = all.filter(({ status }) => ENDED.includes(status));
			return done.length === count ? done : undefined;
		},
		EXECUTIONS_TIMEOUT_MS,
	);
	const ids = ended.map((execution) => execution.id).sort((a, b) => Number(a) - Number(b));
	return await Promise.all(ids.map(async (each) => await client.execution(each)));
}
