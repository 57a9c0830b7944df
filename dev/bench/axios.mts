import { Agent } from 'node:http';
import axios, { type AxiosInstance } from 'axios';
import type { IDataObject } from 'n8n-workflow';
import pMap from 'p-map';
import { MAX_PAGE_SIZE } from '../../nodes/shared/transport/api.ts';
import type { Work } from './measure.mts';
import { type RemoteSandbox, roleBody } from './sandbox.mts';

const AT_ONCE = 20;

/** Scripts with axios, without n8n. */
export const axiosScript = {
	list:
		(atOnce = AT_ONCE): Work =>
		async (sandbox) => {
			const client = clientOf(sandbox);
			const pages: IDataObject[][] = [];
			let isMore = true;
			let next = 1;
			await pMap(Array.from({ length: atOnce }), async () => {
				while (isMore) {
					const page = next++;
					const params = { page, page_size: MAX_PAGE_SIZE };
					const answer = await client.get('/users', { params });
					pages[page] = answer.data as IDataObject[];
					if (answer.headers.has_more !== '1') isMore = false;
				}
			});
			return pages.flat().length;
		},
	updateRoles:
		(count: number): Work =>
		async (sandbox) => {
			const client = clientOf(sandbox);
			const update = async (msid: string) =>
				await client.patch(`/users/${msid}`, roleBody(sandbox));
			const answers = await pMap(sandbox.members.slice(0, count), update, { concurrency: AT_ONCE });
			return answers.length;
		},
};

function clientOf({ baseUrl, sourceSystem, apiKey }: RemoteSandbox): AxiosInstance {
	return axios.create({
		baseURL: `${baseUrl}/api/v1`,
		auth: { username: sourceSystem, password: apiKey },
		headers: { 'Content-Type': 'application/json', 'User-Agent': 'bench' },
		// As in n8n, each request opens a connection.
		httpAgent: new Agent({ keepAlive: false }),
	});
}
