import axios from 'axios';
import type { INodeParameters } from 'n8n-workflow';
import type { Execution, SavedWorkflow } from '../../../dev/n8n/client.mts';
import { outputOf } from '../../../dev/n8n/client.mts';
import { until } from '../../../dev/tools/wait.mts';
import type { User } from '../../../sandbox/records.mts';
import type { WebhookEvent } from '../../../sandbox/webhooks.mts';
import type { Fixture } from './use-fixture.mts';
import { saveWorkflow } from './workflow.mts';

/** Name of the trigger in {@link saveTrigger}'s workflows. */
export const TRIGGER = 'Trigger';
/** Name of the next node, which runs only if there are items. */
const AFTER = 'After';

/** Saves a workflow with a trigger of the package, followed by a node that lists the roles. */
export async function saveTrigger(
	fixture: Pick<Fixture, 'client' | 'credential'>,
	parameters: INodeParameters = {},
	type = 'communityPlatformTrigger',
): Promise<SavedWorkflow> {
	return await saveWorkflow(fixture, 'When a member joins', [
		{ name: TRIGGER, type, parameters },
		{ name: AFTER, parameters: { resource: 'role', operation: 'getAll', limit: 1 } },
	]);
}

/** The answer to a delivery. */
export interface Answer {
	status: number;
	data: unknown;
}

/**
 * Sends a body to a URL.
 *
 * @param body text is sent unchanged, anything else as JSON
 */
export async function deliver(
	url: string,
	body: unknown,
	headers: Record<string, string> = {},
): Promise<Answer> {
	const { status, data } = await axios.post<unknown>(url, body, {
		headers: { 'content-type': 'application/json', ...headers },
		transformRequest: (data: unknown) =>
			typeof data === 'string' || Buffer.isBuffer(data) ? data : JSON.stringify(data),
		validateStatus: () => true,
		proxy: false,
		// Long enough for a busy machine.
		timeout: 120_000,
	});
	return { status, data };
}

/** Submits the form of an active workflow. */
export async function submitForm(
	{ url }: Pick<Fixture, 'url'>,
	{ nodes }: SavedWorkflow,
	values: string[],
): Promise<void> {
	const { options } = nodes.find(({ type }) => type.endsWith('.formTrigger'))!.parameters;
	const address = `${url}/form/${(options as { path: string }).path}`;
	const how = { proxy: false, validateStatus: () => true } as const;
	await until('the form', async () => (await axios.get(address, how)).status === 200, 30_000);
	const fields = values.map((value, at) => [`field-${at}`, value]);
	expect(await axios.postForm(address, Object.fromEntries(fields), how)).toHaveProperty(
		'status',
		200,
	);
}

/** An event in the community's form, about a member who may not exist. */
export function joined(job: number, event = 'member.joined'): WebhookEvent {
	const user = { user_id: job, sid: 'a1', msid: `${job}.a1`, first_name: `Member ${job}` };
	return { event, job_id: job, entities: { user: [user] } };
}

/** The jobs of the trigger's items. */
export function jobsOf(executions: Execution[]): number[] {
	return executions.flatMap((execution) =>
		(outputOf(execution, TRIGGER) as Array<{ job_id: number }>).map(({ job_id }) => job_id),
	);
}

/** The first names of the polling trigger's members. */
export function membersOf(executions: Execution[]): unknown[] {
	return executions.flatMap((execution) =>
		(outputOf(execution, TRIGGER) as User[]).map(({ first_name }) => first_name),
	);
}
