import type { IPollFunctions } from 'n8n-workflow';
import { askForPage } from '../shared/paging/askForPage';
import type { Api } from '../shared/api';
import { Stopped, call } from '../shared/api';
import type { Page } from '../shared/paging/pages';
import type { ApiRequest } from '../shared/exchange/request';
import { userList } from '../shared/records/types';
import { unlessStopped } from '../shared/pacing';
import type { Budget } from './budget';

/** Gives one page of the members, the newest first, counted from 1. */
export type FetchPage = (page: number) => Promise<Page>;

// How long a request that the poll no longer waits for goes on, before it is cut off.
const GRACE_MS = 1000;

/**
 * The members with the status that the node looks for.
 *
 * @param pageSize the most members on a page
 * @returns gives a page, or throws Stopped as soon as the run is stopped, though a request may be on its way
 */
export function listing(
	functions: IPollFunctions,
	api: Api,
	pageSize: number,
	budget: Budget,
): FetchPage {
	const status = functions.getNodeParameter('status') as number;
	return async (page) => {
		const request: ApiRequest = {
			method: 'GET',
			path: '/users',
			qs: { sort_by: 'joined', order: 'desc', status },
			expects: { list: userList },
		};
		const base = { timeout: Math.max(0, Math.ceil(budget.leftMs)) + GRACE_MS };
		const send = async (asked: ApiRequest) => {
			const answer = await unlessStopped(call(functions, api, asked, base), api.stop);
			if (!answer) throw new Stopped();
			return answer;
		};
		return await budget.timed(askForPage(send, request, page, pageSize));
	};
}
