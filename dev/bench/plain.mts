import { Agent } from 'node:http';
import axios, { type AxiosInstance, isAxiosError } from 'axios';
import axiosRetry, { exponentialDelay, isRetryableError } from 'axios-retry';
import type { IDataObject } from 'n8n-workflow';
import { MAX_PAGE_SIZE } from '../../nodes/shared/transport/api.ts';
import type { Work } from './measure.mts';
import type { RemoteSandbox } from './sandbox.mts';

const AT_ONCE = 20;
const RETRIES = 5;

/** Scripts with axios, without n8n. */
export const plain = {
	list:
		(atOnce = AT_ONCE): Work =>
		async (sandbox) => {
			const client = clientOf(sandbox);
			const pages: IDataObject[][] = [];
			let isMore = true;
			let next = 1;
			await Promise.all(
				Array.from({ length: atOnce }, async () => {
					while (isMore) {
						const page = next++;
						const params = { page, page_size: MAX_PAGE_SIZE };
						const answer = await client.get('/users', { params });
						pages[page] = answer.data as IDataObject[];
						if (answer.headers.has_more !== '1') isMore = false;
					}
				}),
			);
			return pages.flat().length;
		},
	updateRoles:
		(count: number, atOnce = AT_ONCE): Work =>
		async (sandbox) =>
			await updateRoles(clientOf(sandbox), sandbox, count, atOnce),
	/**
	 * As the README of axios-retry shows it, with a condition that takes in PATCH, which it does not repeat by
	 * itself, and 429. Its exponential delay waits at least as long as Retry-After says.
	 */
	updateRolesRetrying:
		(count: number, atOnce = AT_ONCE): Work =>
		async (sandbox) => {
			const client = clientOf(sandbox);
			axiosRetry(client, {
				retries: RETRIES,
				retryDelay: exponentialDelay,
				retryCondition: isRetryableError,
			});
			return await updateRoles(client, sandbox, count, atOnce);
		},
	updateTags: (): Work => async (sandbox) => {
		const client = clientOf(sandbox);
		return await inParallel(sandbox.tags, AT_ONCE, async (id) => {
			const { data } = await client.get(`/tags/${id}`);
			const { tag_id, display_name: name, ...kept } = data as IDataObject;
			await client.put(`/tags/${tag_id}`, { ...kept, name, description: `refreshed ${id}` });
		});
	},
};

/** What the API takes to give a member a role. */
export function roleBody({ roleId }: RemoteSandbox): IDataObject {
	return { action: 101, data: { role_id: roleId } };
}

async function updateRoles(
	client: AxiosInstance,
	sandbox: RemoteSandbox,
	count: number,
	atOnce: number,
): Promise<number> {
	return await inParallel(sandbox.members.slice(0, count), atOnce, async (msid) => {
		await client.patch(`/users/${msid}`, roleBody(sandbox));
	});
}

function clientOf({ baseUrl, sourceSystem, apiKey }: RemoteSandbox): AxiosInstance {
	// n8n opens a connection for each request, too.
	return axios.create({
		baseURL: `${baseUrl}/api/v1`,
		auth: { username: sourceSystem, password: apiKey },
		headers: { 'Content-Type': 'application/json', 'User-Agent': 'bench' },
		httpAgent: new Agent({ keepAlive: false }),
	});
}

// Gives how many were done: like any careful script it goes on where the API refuses one.
async function inParallel<T>(
	items: T[],
	atOnce: number,
	work: (item: T) => Promise<void>,
): Promise<number> {
	let next = 0;
	let done = 0;
	await Promise.all(
		Array.from({ length: atOnce }, async () => {
			while (next < items.length) {
				try {
					await work(items[next++]);
					done++;
				} catch (error) {
					if (!isAxiosError(error)) throw error;
				}
			}
		}),
	);
	return done;
}
