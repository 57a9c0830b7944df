import { createRequire } from 'node:module';
import type { INodeParameters, INodeType, IVersionedNodeType } from 'n8n-workflow';
import { CREDENTIAL, MAX_PAGE_SIZE } from '../../nodes/shared/transport/api.ts';
import { runNode } from '../../test/support/engine.mts';
import type { Work } from './measure.mts';
import type { RemoteSandbox } from './sandbox.mts';

const require = createRequire(new URL('../n8n/package.json', import.meta.url));
const COMPILED = '../../dist/nodes/CommunityPlatform/CommunityPlatform.node.js';
const HTTP_REQUEST = 'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js';

/** The number of items, and the milliseconds until the next ones. */
interface Batch {
	batchSize: number;
	batchInterval: number;
}

type Parameters = (sandbox: RemoteSandbox) => INodeParameters;

/** Sets the role of the member in each item. */
export const updateRole: Parameters = ({ roleId }) => ({
	resource: 'user',
	operation: 'updateRole',
	userId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
	roleId: { __rl: true, mode: 'id', value: roleId },
});

/** This package, compiled as n8n loads it, through n8n's engine. */
export const node = {
	list: run(() => ({ resource: 'user', operation: 'getAll', returnAll: true })),
	updateRoles: (count: number) => run(updateRole, count),
	getById: (count: number) =>
		run(
			() => ({
				resource: 'user',
				operation: 'get',
				userId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			}),
			count,
		),
	createOrGet: (count: number) =>
		run(
			() => ({
				resource: 'user',
				operation: 'createOrGet',
				firstName: 'Ada',
				email: '={{ $json.email }}',
			}),
			count,
		),
	updateMembers: (count: number) =>
		run(
			({ boardId }) => ({
				resource: 'board',
				operation: 'updateMembers',
				boardId: { __rl: true, mode: 'id', value: boardId },
				membersInput: 'text',
				addMembers: '={{ $json.id }}',
			}),
			count,
		),
};

/** n8n's HTTP Request node of the pinned n8n, through the same engine and with the same credential. */
export const httpRequest = {
	list: runHttp(({ baseUrl }) => ({
		url: `${baseUrl}/api/v1/users`,
		sendQuery: true,
		queryParameters: { parameters: [{ name: 'page_size', value: String(MAX_PAGE_SIZE) }] },
		options: {
			pagination: {
				pagination: {
					paginationMode: 'updateAParameterInEachRequest',
					parameters: {
						parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }],
					},
					paginationCompleteWhen: 'other',
					completeExpression: '={{ $response.headers.has_more !== "1" }}',
				},
			},
		},
	})),
	/** @param batch its option "Batching" */
	updateRoles: (count: number, batch?: Batch) =>
		runHttp(
			({ baseUrl, roleId }) => ({
				method: 'PATCH',
				url: `=${baseUrl}/api/v1/users/{{ $json.id }}`,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: JSON.stringify({ action: 101, data: { role_id: roleId } }),
				options: batch ? { batching: { batch: { ...batch } } } : {},
			}),
			count,
		),
	getById: (count: number) =>
		runHttp(({ baseUrl }) => ({ url: `=${baseUrl}/api/v1/users/{{ $json.id }}` }), count),
	updateMembers: (count: number) =>
		runHttp(
			({ baseUrl, boardId }) => ({
				method: 'PUT',
				url: `${baseUrl}/api/v1/boards/${boardId}/members`,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: '={{ JSON.stringify({ member_changes: { [$json.id]: true } }) }}',
			}),
			count,
		),
};

/** @param count number of members, one item each. Undefined for a list */
function run(parametersOf: Parameters, count?: number): Work {
	return async (sandbox) => {
		const { CommunityPlatform } = require(COMPILED) as { CommunityPlatform: new () => INodeType };
		const type = { name: 'communityPlatform', type: new CommunityPlatform(), version: 1 };
		const items = count === undefined ? undefined : sandbox.members.slice(0, count);
		const { items: output, error } = await runNode(sandbox, parametersOf(sandbox), { items, type });
		if (error) throw error;
		return output.length;
	};
}

function runHttp(parametersOf: Parameters, count?: number): Work {
	return async (sandbox) => {
		const { HttpRequest } = require(HTTP_REQUEST) as { HttpRequest: new () => IVersionedNodeType };
		const versions = new HttpRequest();
		const type = {
			name: 'n8n-nodes-base.httpRequest',
			type: versions.getNodeType(),
			version: versions.currentVersion,
		};
		const authentication = 'predefinedCredentialType';
		const parameters = { authentication, nodeCredentialType: CREDENTIAL, ...parametersOf(sandbox) };
		const items = count === undefined ? undefined : sandbox.members.slice(0, count);
		// Its failures are measured, too. It returns no records.
		return (await runNode(sandbox, parameters, { items, type })).items.length;
	};
}
