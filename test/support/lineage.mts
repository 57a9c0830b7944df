import { WorkflowExecute } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeParameters,
	INodeType,
	OnError,
} from 'n8n-workflow';
import { createRunExecutionData, NodeConnectionTypes, Workflow } from 'n8n-workflow';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import type { Sandbox } from '../../sandbox/server.mts';
import { additionalData, loaded, node, nodeTypes } from '../engine/engine.mts';

/**
 * Runs the action node with a node behind each of its outputs, and lets those look back at the input
 * item that theirs comes from.
 *
 * @param items each with a name
 * @returns the names that the nodes behind the two outputs found, item by item
 */
export async function namesBehind(
	sandbox: Sandbox,
	parameters: INodeParameters,
	items: Array<IDataObject & { name: string }>,
	onError: OnError,
): Promise<{ succeeded: unknown[]; failed: unknown[] }> {
	const look = { text: "={{ $('Start').item.json.name }}" };
	const to = (name: string) => [{ node: name, type: NodeConnectionTypes.Main, index: 0 }];
	const workflow = new Workflow({
		id: 'workflow',
		active: false,
		settings: { executionOrder: 'v1' },
		nodeTypes: nodeTypes({
			start: nodeType('start', async () => [items.map((json) => ({ json }))]),
			communityPlatform: loaded(new CommunityPlatform()),
			reader: readerType,
		}),
		nodes: [
			node('Start', 'start', {}),
			{
				...node('Community', 'communityPlatform', parameters),
				credentials: { communityPlatformApi: { id: '1', name: 'Community' } },
				onError,
			},
			node('Succeeded', 'reader', look),
			node('Failed', 'reader', look),
		],
		connections: {
			Start: { main: [to('Community')] },
			Community: { main: [to('Succeeded'), to('Failed')] },
		},
	});
	const { baseUrl, sourceSystem, apiKey } = sandbox;
	const credential: ICredentialDataDecryptedObject = { baseUrl, sourceSystem, apiKey };
	const execution = new WorkflowExecute(
		additionalData(workflow, credential),
		'manual',
		createRunExecutionData(),
	);
	const { data } = await execution.run({
		workflow,
		startNode: workflow.getNode('Start') ?? undefined,
	});
	const read = (name: string) =>
		(data.resultData.runData[name]?.[0].data?.main[0] ?? []).map(({ json }) => json.text);
	return { succeeded: read('Succeeded'), failed: read('Failed') };
}

function nodeType(name: string, execute: INodeType['execute']): INodeType {
	return {
		description: {
			displayName: name,
			name,
			group: ['transform'],
			version: 1,
			description: 'For tests',
			defaults: {},
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			properties: [{ displayName: 'Text', name: 'text', type: 'string', default: '' }],
		},
		execute,
	};
}

const readerType = nodeType('reader', async function () {
	return [
		this.getInputData().map((_, index) => ({
			json: { text: this.getNodeParameter('text', index) },
		})),
	];
});
