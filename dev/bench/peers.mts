import { createRequire } from 'node:module';
import type { IDataObject, INodeParameters, INodeType, IVersionedNodeType } from 'n8n-workflow';
import { CREDENTIAL, MAX_PAGE_SIZE } from '../../nodes/shared/transport/api.ts';
import { runNode } from '../../test/support/engine.mts';
import type { Work } from './measure.mts';
import { type RemoteSandbox, roleBody } from './sandbox.mts';

const require = createRequire(new URL('../n8n/package.json', import.meta.url));
const COMPILED = '../../dist/nodes/CommunityPlatform/CommunityPlatform.node.js';
const HTTP_REQUEST = 'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js';

/** The number of items, and the milliseconds until the next ones. */
interface Batch {
	batchSize: number;
	batchInterval: number;
}

/** This package, compiled as n8n loads it, through n8n's engine. */
export const node = {
	list: (): Work => async (sandbox) =>
		await run(sandbox, { resource: 'user', operation: 'getAll', returnAll: true }),
	updateRoles:
		(count: number): Work =>
		async (sandbox) =>
			await run(
				sandbox,
				{
					resource: 'user',
					operation: 'updateRole',
					userId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
					roleId: { __rl: true, mode: 'id', value: sandbox.roleId },
				},
				itemsOf(sandbox.members.slice(0, count)),
			),
	createOrGet:
		(count: number): Work =>
		async (sandbox) =>
			await run(
				sandbox,
				{
					resource: 'user',
					operation: 'createOrGet',
					firstName: 'Ada',
					email: '={{ $json.email }}',
				},
				sandbox.emails.slice(0, count).map((email) => ({ email })),
			),
	updateMembers:
		(count: number): Work =>
		async (sandbox) =>
			await run(
				sandbox,
				{
					resource: 'board',
					operation: 'updateMembers',
					boardId: { __rl: true, mode: 'id', value: sandbox.boardId },
					membersInput: 'text',
					addMembers: '={{ $json.id }}',
				},
				itemsOf(sandbox.members.slice(0, count)),
			),
};

/** n8n's HTTP Request node of the pinned n8n, through the same engine and with the same credential. */
export const httpRequest = {
	list: (): Work => async (sandbox) =>
		await runHttp(sandbox, {
			url: `${sandbox.baseUrl}/api/v1/users`,
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
		}),
	/** @param batch its option "Batching" */
	updateRoles:
		(count: number, batch?: Batch): Work =>
		async (sandbox) =>
			await runHttp(
				sandbox,
				{
					method: 'PATCH',
					url: `=${sandbox.baseUrl}/api/v1/users/{{ $json.id }}`,
					sendBody: true,
					specifyBody: 'json',
					jsonBody: JSON.stringify(roleBody(sandbox)),
					options: batch ? { batching: { batch: { ...batch } } } : {},
				},
				itemsOf(sandbox.members.slice(0, count)),
			),
	getById:
		(count: number): Work =>
		async (sandbox) =>
			await runHttp(
				sandbox,
				{ url: `=${sandbox.baseUrl}/api/v1/users/{{ $json.id }}` },
				itemsOf(sandbox.members.slice(0, count)),
			),
	updateMembers:
		(count: number): Work =>
		async (sandbox) =>
			await runHttp(
				sandbox,
				{
					method: 'PUT',
					url: `${sandbox.baseUrl}/api/v1/boards/${sandbox.boardId}/members`,
					sendBody: true,
					specifyBody: 'json',
					jsonBody: '={{ JSON.stringify({ member_changes: { [$json.id]: true } }) }}',
				},
				itemsOf(sandbox.members.slice(0, count)),
			),
};

async function run(
	sandbox: RemoteSandbox,
	parameters: INodeParameters,
	items?: IDataObject[],
): Promise<number> {
	const { CommunityPlatform } = require(COMPILED) as { CommunityPlatform: new () => INodeType };
	const type = { name: 'communityPlatform', type: new CommunityPlatform(), version: 1 };
	const { items: given, error } = await runNode(sandbox, parameters, { items, type });
	if (error) throw error;
	return given.length;
}

async function runHttp(
	sandbox: RemoteSandbox,
	parameters: INodeParameters,
	items?: IDataObject[],
): Promise<number> {
	const { HttpRequest } = require(HTTP_REQUEST) as { HttpRequest: new () => IVersionedNodeType };
	const versions = new HttpRequest();
	const type: INodeType = versions.getNodeType();
	// Its failures are measured, too. It returns no records.
	const { items: given } = await runNode(
		sandbox,
		{
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL,
			...parameters,
		},
		{
			items,
			type: { name: 'n8n-nodes-base.httpRequest', type, version: versions.currentVersion },
		},
	);
	return given.length;
}

function itemsOf(ids: string[]): IDataObject[] {
	return ids.map((id) => ({ id }));
}
