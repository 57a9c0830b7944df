import { randomUUID } from 'node:crypto';
import type { IConnections, INode, INodeParameters } from 'n8n-workflow';
import type { SavedWorkflow } from '../../../dev/n8n/client.mts';
import { CREDENTIAL } from '../../../nodes/shared/transport/api.ts';
import { PACKAGE_NAME } from '../../../dev/n8n/paths.mts';
import type { Fixture } from './use-fixture.mts';

const DISTANCE = 220;
const START: Step = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };

/** A node of a workflow. */
export interface Step extends Partial<
	Pick<INode, 'typeVersion' | 'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries'>
> {
	name: string;
	/** A type of the package, or the full name of another type. If left out, the action node's. */
	type?: string;
	parameters?: INodeParameters;
}

/**
 * Saves a workflow that uses the fixture's credential. Its triggers are below each other, and the other nodes form a
 * chain. Without a trigger, it gets a manual one.
 *
 * @param settings of the workflow, such as the engine that runs it
 */
export async function saveWorkflow(
	{ client, credential }: Pick<Fixture, 'client' | 'credential'>,
	name: string,
	steps: Step[],
	settings: Record<string, string> = {},
): Promise<SavedWorkflow> {
	const triggers = steps.filter(isTrigger);
	const beginnings = triggers.length > 0 ? triggers : [START];
	const actions = steps.filter((step) => !isTrigger(step));
	const nodes = [...beginnings, ...actions].map((step, index): INode => {
		const { type = 'communityPlatform', ...rest } = step;
		const column = Math.max(0, index - beginnings.length + 1);
		const row = column > 0 ? 0 : index;
		return {
			id: step.name,
			typeVersion: type === 'communityPlatformTrigger' ? 2 : 1,
			parameters: {},
			...rest,
			type: type.includes('.') ? type : `${PACKAGE_NAME}.${type}`,
			position: [column * DISTANCE, row * DISTANCE],
			credentials: { [CREDENTIAL]: credential },
			...(isTrigger(step) && { webhookId: randomUUID() }),
		};
	});
	const to = (next?: Step) => ({
		main: next ? [[{ node: next.name, type: 'main' as const, index: 0 }]] : [],
	});
	const connections: IConnections = Object.fromEntries([
		...beginnings.map((from) => [from.name, to(actions[0])]),
		...actions.map((from, index) => [from.name, to(actions[index + 1])]),
	]);
	return await client.createWorkflow({ name, nodes, connections, settings });
}

function isTrigger({ type = '' }: Step): boolean {
	return /Trigger$|\.webhook$/.test(type);
}
