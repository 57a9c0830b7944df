import { CredentialTestContext, ExecuteContext, LoadOptionsContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	INodeCredentialTestResult,
	INodeListSearchResult,
	INodeParameters,
	INodePropertyOptions,
	INodeType,
	IRequestOptions,
} from 'n8n-workflow';
import { createRunExecutionData, Workflow } from 'n8n-workflow';
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

/** Tests a credential like n8n on save (n8n, `CredentialsTester.testCredentials`). */
export async function testCredential(
	data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	const { methods, description } = new CommunityPlatform();
	const workflow = oneNode(new CommunityPlatform(), description.name, {});
	const context = new CredentialTestContext(additionalData(workflow, data));
	const saved = { id: '1', name: 'Community', type: CREDENTIAL, data };
	return await methods.credentialTest.testCredential.call(context, saved);
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
