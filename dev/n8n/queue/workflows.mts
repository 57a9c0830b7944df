import { randomUUID } from 'node:crypto';
import type { IDataObject, INode } from 'n8n-workflow';
import type { WorkflowFile } from '../client.mts';
import { CREDENTIAL_TYPE } from '../examples.mts';
import { PACKAGE_NAME } from '../paths.mts';
import { EVERY_SECOND, polling } from '../polling.mts';

/** What a node's `credentials` refers to a stored credential by. */
export interface CredentialReference {
	id: string;
	name: string;
}

/** Path of the webhook that takes a part of a batch. */
export const PARTS_PATH = 'role-updates';

/** The workflow that gives members their roles: one execution of it for each part of a batch. */
export function giveRoles(credential: CredentialReference): WorkflowFile {
	return chain('Give roles', [
		node('Members', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
		ours('Give Role', 'communityPlatform', credential, {
			resource: 'user',
			operation: 'updateRole',
			userId: byId('={{ $json.msid }}'),
			roleId: byId('={{ $json.role_id }}'),
		}),
	]);
}

/**
 * The workflow that takes a part of a batch by webhook and hands it to a sub-execution. A sub-execution
 * runs on the worker of its parent (n8n calls it in the same process), so that it is the webhook that
 * spreads the parts over the workers.
 *
 * @param giveRolesId id of the saved {@link giveRoles}
 */
export function takeParts(giveRolesId: string): WorkflowFile {
	const webhook = node('Part', 'n8n-nodes-base.webhook', 2, {
		httpMethod: 'POST',
		path: PARTS_PATH,
		responseMode: 'onReceived',
		options: {},
	});
	return chain('Take parts of a batch', [
		{ ...webhook, webhookId: randomUUID() },
		node('Split Out', 'n8n-nodes-base.splitOut', 1, {
			fieldToSplitOut: 'body.updates',
			options: {},
		}),
		node('Give Roles', 'n8n-nodes-base.executeWorkflow', 1.2, {
			workflowId: byId(giveRolesId),
			workflowInputs: { mappingMode: 'defineBelow', value: {} },
			mode: 'once',
			options: {},
		}),
	]);
}

/**
 * The workflow that greets new members with a comment. The comment holds the execution and the event,
 * so that the community itself shows what ran how often.
 *
 * @param postId what the comments belong to
 */
export function greet(credential: CredentialReference, postId: number): WorkflowFile {
	const trigger = ours('Member Joined', 'communityPlatformTrigger', credential, {
		events: ['member.joined'],
	});
	return chain('Greet new members', [
		{ ...trigger, webhookId: randomUUID() },
		ours('Comment', 'communityPlatform', credential, {
			resource: 'comment',
			operation: 'create',
			postId: String(postId),
			content: '={{ $execution.id }} {{ $json.dedupe_key }}',
			author: byId('={{ $json.user.msid }}'),
		}),
	]);
}

/**
 * The workflow that asks for new members and comments on each.
 *
 * @param postId what the comments belong to
 */
export function notice(credential: CredentialReference, postId: number): WorkflowFile {
	const trigger = ours('New Member', 'communityPlatformPollingTrigger', credential, {});
	return chain('Notice new members', [
		polling(EVERY_SECOND)(trigger),
		ours('Comment', 'communityPlatform', credential, {
			resource: 'comment',
			operation: 'create',
			postId: String(postId),
			content: '={{ $execution.id }} noticed {{ $json.msid }}',
			author: byId('={{ $json.msid }}'),
		}),
	]);
}

function byId(value: string): IDataObject {
	return { __rl: true, mode: 'id', value };
}

function ours(
	name: string,
	type: string,
	credential: CredentialReference,
	parameters: IDataObject,
): INode {
	const made = node(name, `${PACKAGE_NAME}.${type}`, 1, parameters);
	return { ...made, credentials: { [CREDENTIAL_TYPE]: credential } };
}

function node(name: string, type: string, typeVersion: number, parameters: IDataObject): INode {
	return { id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters } as INode;
}

/** A workflow in which each node follows the one before. */
function chain(name: string, nodes: INode[]): WorkflowFile {
	const pairs = nodes
		.slice(1)
		.map(({ name: next }, index) => [
			nodes[index].name,
			{ main: [[{ node: next, type: 'main', index: 0 }]] },
		]);
	return {
		name,
		nodes: nodes.map((one, index) => ({ ...one, position: [index * 220, 0] as [number, number] })),
		connections: Object.fromEntries(pairs),
		settings: { executionOrder: 'v1' },
	};
}
