import type { IPollFunctions } from 'n8n-workflow';
import type { Api } from '../shared/transport';
import { Stopped, call } from '../shared/transport';
import type { Page } from '../shared/pagination';
import { requestPage } from '../shared/pagination';
import type { ApiRequest } from '../shared/transport/request';
import { userList } from '../shared/records/types';
import { unlessStopped } from '../shared/limiter';
import type { Budget } from './budget';

/** Fetches one page of members, the newest first; pages are counted from 1. */
export type FetchPage = (page: number) => Promise<Page>;

// A request that the poll no longer waits for is cut off after this time.
const GRACE_MS = 1000;

/**
 * Pagination of the members with the status that the node looks for.
 *
 * @param pageSize the most members on a page
 * @returns gives a page; throws Stopped as soon as the poll is cancelled, even with a request in flight
 */
export function memberPages(
	functions: IPollFunctions,
	api: Api,
	pageSize: number,
	budget: Budget,
): FetchPage {
	const status = functions.getNodeParameter('status') as number;
	return async (page) => {
		const listing = { path: '/users', qs: { sort_by: 'joined', order: 'desc', status } };
		const base = { timeout: Math.max(0, Math.ceil(budget.leftMs)) + GRACE_MS };
		const send = async (asked: ApiRequest) => {
			const answer = await unlessStopped(call(functions, api, asked, base), api.stop);
			if (!answer) throw new Stopped();
			return answer;
		};
		return await budget.timed(requestPage({ send }, listing, userList, page, pageSize));
	};
}
