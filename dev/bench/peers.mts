import { createRequire } from 'node:module';
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	INodePropertyOptions,
	INodeType,
	IVersionedNodeType,
} from 'n8n-workflow';
import { deepCopy } from 'n8n-workflow';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { MAX_PAGE_SIZE } from '../../nodes/shared/transport/api.ts';
import type { RunOptions } from '../../test/engine/engine.mts';
import { loaded, runNode } from '../../test/engine/engine.mts';
import type { Work } from './measure.mts';
import { roleBody } from './plain.mts';
import type { RemoteSandbox } from './sandbox.mts';

const require = createRequire(new URL('../n8n/package.json', import.meta.url));
const HTTP_REQUEST = 'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js';

/** So many items, then so many milliseconds until the next ones. */
interface Batch {
	batchSize: number;
	batchInterval: number;
}

let newcomers = 0;

/** This package, through n8n's engine. */
export const node = {
	list: (): Work => async (sandbox) => (await listMembers(sandbox)).length,
	/** As a new caller, for whom neither the rate limit nor the number of pages is known. */
	listFirst: (): Work => async (sandbox) =>
		(await listMembers({ ...sandbox, sourceSystem: `newcomer ${++newcomers}` })).length,
	/** @param type another build of the node than the sources */
	updateRoles:
		(count: number, type?: RunOptions['type']): Work =>
		async (sandbox) =>
			await run(sandbox, updateRole(sandbox), itemsOf(sandbox.members.slice(0, count)), type),
	updateTags: (): Work => async (sandbox) =>
		await run(
			sandbox,
			{
				resource: 'tag',
				operation: 'update',
				tagId: byId('id'),
				updateFields: { description: '={{ "refreshed " + $json.id }}' },
			},
			itemsOf(sandbox.tags),
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
	/**
	 * @param batch its option "Batching", as a user sets it who knows the limit
	 * @param maxTries of its setting "Retry On Fail", which repeats all items, a second apart; off by default
	 */
	updateRoles:
		(count: number, batch?: Batch, maxTries?: number): Work =>
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
				{ items: itemsOf(sandbox.members.slice(0, count)), maxTries },
			),
};

/**
 * This package as a tool: one call after another, each with one item.
 *
 * @param isRouted through n8n's routing engine, instead of customOperations
 */
export function toolCalls(count: number, isRouted: boolean): Work {
	return async (sandbox) => {
		const parameters = { resource: 'user', operation: 'get', userId: byId('id') };
		let answered = 0;
		for (const id of sandbox.members.slice(0, count)) {
			const { items, error } = await runNode(sandbox, parameters, {
				items: [{ id }],
				isRouted,
			});
			if (error) throw error;
			answered += items.length;
		}
		return answered;
	};
}

/** This package's description, sent by n8n itself: how long n8n's engine takes for any declarative node. */
export const routing = {
	updateRoles:
		(count: number): Work =>
		async (sandbox) =>
			await run(sandbox, updateRole(sandbox), itemsOf(sandbox.members.slice(0, count)), {
				name: 'routingAlone',
				type: routingAlone(),
				version: 1,
			}),
};

/**
 * Lists the active members through the node.
 *
 * @param limit all of them by default
 */
export async function listMembers(
	sandbox: RemoteSandbox,
	limit?: number,
): Promise<INodeExecutionData[]> {
	const returnAll = limit === undefined;
	const parameters = {
		resource: 'user',
		operation: 'getAll',
		returnAll,
		...(returnAll ? {} : { limit }),
	};
	const { items, error } = await runNode(sandbox, parameters);
	if (error) throw error;
	return items;
}

async function run(
	sandbox: RemoteSandbox,
	parameters: INodeParameters,
	items?: IDataObject[],
	type?: RunOptions['type'],
): Promise<number> {
	const { items: given, error } = await runNode(sandbox, parameters, { items, type });
	if (error) throw error;
	return given.length;
}

async function runHttp(
	sandbox: RemoteSandbox,
	parameters: INodeParameters,
	options: RunOptions = {},
): Promise<number> {
	const { HttpRequest } = require(HTTP_REQUEST) as { HttpRequest: new () => IVersionedNodeType };
	const versions = new HttpRequest();
	const type: INodeType = versions.getNodeType();
	// Its failures are part of what is measured: nothing comes out.
	const { items: given } = await runNode(
		sandbox,
		{
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'communityPlatformApi',
			...parameters,
		},
		{
			...options,
			type: { name: 'n8n-nodes-base.httpRequest', type, version: versions.currentVersion },
		},
	);
	return given.length;
}

function itemsOf(ids: Array<string | number>): IDataObject[] {
	return ids.map((id) => ({ id }));
}

function byId(field: string): INodeParameters {
	return { __rl: true, mode: 'id', value: `={{ $json.${field} }}` };
}

function byValue(id: number): INodeParameters {
	return { __rl: true, mode: 'id', value: id };
}

function updateRole({ roleId }: RemoteSandbox): INodeParameters {
	return {
		resource: 'user',
		operation: 'updateRole',
		userId: byId('id'),
		roleId: byValue(roleId),
	};
}

function routingAlone(): INodeType {
	const type: INodeType = new CommunityPlatform();
	// n8n would prefer them to its routing engine.
	delete type.customOperations;
	// Descriptions of one type share their parts.
	type.description = deepCopy(type.description);
	const { properties } = type.description;
	const operation = properties
		.flatMap(({ options = [] }) => options as INodePropertyOptions[])
		.find(({ value }) => value === 'updateRole');
	const user = properties.find(
		({ name, displayOptions }) =>
			name === 'userId' && displayOptions?.show?.operation?.includes('updateRole'),
	);
	if (!operation || !user) throw new Error('The description has no operation to update a role');
	operation.routing = { request: { method: 'PATCH', body: { action: 101 } } };
	user.routing = { request: { url: '=/api/v1/users/{{ $value }}' } };
	type.description.requestDefaults = { baseURL: '={{ $credentials.baseUrl }}' };
	return loaded(type);
}
