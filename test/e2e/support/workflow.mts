import type { INode, INodeParameters } from 'n8n-workflow';
import type { SavedWorkflow } from '../../../n8n/client.mts';
import { CREDENTIAL_TYPE } from '../../../n8n/examples.mts';
import { PACKAGE_NAME } from '../../../n8n/paths.mts';
import type { Scenery } from './use-stage.mts';

const DISTANCE = 220;
const START: INode = {
	id: 'start',
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** A node of the package; without a type, the action node. */
export interface Step {
	name: string;
	type?: string;
	parameters?: INodeParameters;
}

/**
 * Saves a workflow whose nodes follow each other, begun by hand unless it begins with a trigger, with
 * the scenery's credential chosen.
 *
 * @param name how it is called
 * @param steps the nodes of the package
 */
export async function saveWorkflow(
	{ client, credential }: Scenery,
	name: string,
	steps: Step[],
): Promise<SavedWorkflow> {
	const own = steps.map(({ name: called, type = 'communityPlatform', parameters = {} }): INode => ({
		id: called,
		name: called,
		type: `${PACKAGE_NAME}.${type}`,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { [CREDENTIAL_TYPE]: credential },
	}));
	const beginsItself = own[0]?.type.endsWith('Trigger');
	const nodes = (beginsItself ? own : [START, ...own]).map((node, index) => ({
		...node,
		position: [index * DISTANCE, 0] as [number, number],
	}));
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name: to }, index) => [
				nodes[index].name,
				{ main: [[{ node: to, type: 'main', index: 0 }]] },
			]),
	);
	return await client.createWorkflow({ name, nodes, connections });
}
