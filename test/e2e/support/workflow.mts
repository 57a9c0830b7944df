import type { INode, INodeConnections, INodeParameters } from 'n8n-workflow';
import type { SavedWorkflow } from '../../../dev/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../../../dev/n8n/examples.mts';
import { PACKAGE_NAME } from '../../../dev/n8n/paths.mts';
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
	/** What happens when an item fails; the run stops unless given. */
	onError?: INode['onError'];
}

/**
 * Saves a workflow with the scenery's credential chosen. Its triggers, or a start by hand if it has none,
 * are one below the other; the other nodes follow each other.
 *
 * @param name how it is called
 * @param steps the nodes of the package
 */
export async function saveWorkflow(
	{ client, credential }: Pick<Scenery, 'client' | 'credential'>,
	name: string,
	steps: Step[],
): Promise<SavedWorkflow> {
	const own = steps.map(
		({ name: called, type = 'communityPlatform', parameters = {}, onError }): INode => ({
			id: called,
			name: called,
			type: `${PACKAGE_NAME}.${type}`,
			typeVersion: 1,
			position: [0, 0],
			parameters,
			credentials: { [CREDENTIAL_TYPE]: credential },
			...(onError && { onError }),
		}),
	);
	const triggers = own.filter(isTrigger);
	const actions = own.filter((node) => !isTrigger(node));
	const beginnings = triggers.length > 0 ? triggers : [START];
	const nodes = [
		...beginnings.map((node, index) => placed(node, 0, index)),
		...actions.map((node, index) => placed(node, index + 1, 0)),
	];
	const connections = Object.fromEntries([
		...beginnings.map((from) => connection(from, actions[0])),
		...actions.slice(1).map((to, index) => connection(actions[index], to)),
	]);
	return await client.createWorkflow({ name, nodes, connections });
}

function isTrigger({ type }: INode): boolean {
	return type.endsWith('Trigger');
}

function placed(node: INode, column: number, row: number): INode {
	return { ...node, position: [column * DISTANCE, row * DISTANCE] };
}

function connection(from: INode, to: INode | undefined): [string, INodeConnections] {
	const main = to ? [[{ node: to.name, type: 'main' as const, index: 0 }]] : [];
	return [from.name, { main }];
}
