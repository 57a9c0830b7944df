import { ExecuteContext, LoadOptionsContext, RoutingNode } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	INodeListSearchResult,
	INodeParameters,
	INodePropertyOptions,
	INodeType,
	IRequestOptions,
} from 'n8n-workflow';
import { createRunExecutionData, Workflow } from 'n8n-workflow';
import { CommunityPlatformApi } from '../../credentials/CommunityPlatformApi.credentials.ts';
import { CommunityPlatformPollingTrigger } from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.ts';
import { CommunityPlatformTrigger } from '../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.ts';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { additionalData, node, nodeTypes } from './engine.mts';
import { CREDENTIAL } from '../../nodes/shared/transport/api.ts';

type Picker = keyof CommunityPlatform['methods']['listSearch'];

/** Requests a batch of a picker's list (n8n, `DynamicNodeParametersService.getResourceLocatorResults`). */
export async function pick(
	credential: ICredentialDataDecryptedObject,
	picker: Picker,
	filter?: string,
	paginationToken?: string,
	parameters: INodeParameters = {},
): Promise<INodeListSearchResult> {
	const type = new CommunityPlatform();
	const workflow = oneNode(type, 'communityPlatform', parameters);
	const data = additionalData(workflow, credential);
	data.currentNodeParameters = parameters;
	const context = new LoadOptionsContext(workflow, workflow.nodes.Community, data, '');
	return await type.methods.listSearch[picker].call(context, filter, paginationToken);
}

/** Loads the roles for a filter of a trigger (n8n, `DynamicNodeParametersService.getOptionsViaMethodName`). */
export async function loadRoles(
	credential: ICredentialDataDecryptedObject,
	type: CommunityPlatformTrigger | CommunityPlatformPollingTrigger,
	parameters: INodeParameters = {},
): Promise<INodePropertyOptions[]> {
	const workflow = oneNode(type, type.description.name, parameters);
	const data = additionalData(workflow, credential);
	data.currentNodeParameters = parameters;
	const context = new LoadOptionsContext(
		workflow,
		workflow.nodes.Community,
		data,
		'filters.roleIds',
	);
	return await type.methods.loadOptions.getRoles.call(context);
}

/**
 * Tests a credential like n8n on save (`CredentialsTester.runRequestTest`). The test becomes the routing of a node
 * without parameters, and its rules are applied to the answer.
 *
 * @returns n8n's message
 */
export async function testCredential(
	data: ICredentialDataDecryptedObject,
): Promise<{ status: 'OK' | 'Error'; message: string }> {
	const { test } = new CommunityPlatformApi();
	const type: INodeType = {
		description: {
			displayName: 'No Operation',
			name: 'n8n-nodes-base.noOp',
			group: [],
			version: 1,
			description: '',
			defaults: {},
			inputs: [],
			outputs: [],
			credentials: [{ name: CREDENTIAL, required: true }],
			properties: [
				{
					displayName: 'Temp',
					name: 'temp',
					type: 'string',
					default: '',
					routing: { request: test.request },
				},
			],
		},
	};
	const workflow = oneNode(type, 'n8n-nodes-base.noOp', {});
	const context = contextOf(workflow, data, 'internal');
	const saved = { id: '1', name: 'Community', type: CREDENTIAL, data };
	let output;
	try {
		output = await new RoutingNode(context, type, saved).runNode();
	} catch (error) {
		return { status: 'Error', message: messageFor(test.rules, error as TestFailure) };
	}
	return verdict(test.rules, output?.[0][0].json ?? {});
}

/**
 * Sends a request with the credential like n8n's HTTP Request node with a "Predefined Credential Type", which still
 * uses the older request helper.
 *
 * @param options the options of that helper: `uri`, `method`, `headers`, …
 */
export async function requestWithCredential(
	data: ICredentialDataDecryptedObject,
	options: IRequestOptions,
): Promise<unknown> {
	const type = new CommunityPlatform();
	const workflow = oneNode(type, 'communityPlatform', {});
	const context = contextOf(workflow, data, 'manual');
	const { requestWithAuthentication } = context.helpers;
	return await requestWithAuthentication.call(context, CREDENTIAL, options);
}

type Rules = ICredentialTestRequest['rules'];
type TestFailure = Error & {
	cause?: { response?: { status: number; statusText: string }; code?: string };
};

function messageFor(rules: Rules = [], error: TestFailure): string {
	const { response, code } = error.cause ?? {};
	if (!response) return code ?? error.message;
	const rule = rules.find(
		({ type, properties }) => type === 'responseCode' && properties.value === response.status,
	);
	return rule?.properties.message ?? (response.statusText || `Received ${response.status}`);
}

function verdict(rules: Rules = [], body: object): { status: 'OK' | 'Error'; message: string } {
	for (const { type, properties } of rules) {
		if (type !== 'responseSuccessBody') continue;
		if ((body as Record<string, unknown>)[properties.key] === properties.value) {
			return { status: 'Error', message: properties.message };
		}
	}
	return { status: 'OK', message: 'Connection successful!' };
}

function contextOf(
	workflow: Workflow,
	data: ICredentialDataDecryptedObject,
	mode: 'internal' | 'manual',
): ExecuteContext {
	const { Community } = workflow.nodes;
	return new ExecuteContext(
		workflow,
		Community,
		additionalData(workflow, data),
		mode,
		createRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node: Community, data: {}, source: null },
		[],
	);
}

function oneNode(type: INodeType, name: string, parameters: INodeParameters): Workflow {
	return new Workflow({
		active: false,
		connections: {},
		nodes: [
			{
				...node('Community', name, parameters),
				credentials: { [CREDENTIAL]: { id: '1', name: 'Community' } },
			},
		],
		nodeTypes: nodeTypes({ [name]: type }),
	});
}
