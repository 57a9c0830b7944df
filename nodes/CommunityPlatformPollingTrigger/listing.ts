import type { IPollFunctions } from 'n8n-workflow';
import { askForPage } from '../shared/paging/askForPage';
import type { Api } from '../shared/api';
import { Stopped, call } from '../shared/api';
import type { Page } from '../shared/paging/pages';
import type { ApiRequest } from '../shared/exchange/request';
import { userList } from '../shared/records/types';
import { unlessStopped } from '../shared/pacing';
import type { Budget } from './budget';

/** Gives one page of the members, the newest first, counted from 1; of the usual size unless told. */
export type FetchPage = (page: number, pageSize?: number) => Promise<Required<Page>>;

// A request that nobody waits for any more is cut off; the poll has to have ended by then.
const GRACE_MS = 1000;

/**
 * The members with the status that the node looks for.
 *
 * @param usualSize the most members on a page for which no size is asked
 * @returns gives a page, or throws Stopped as soon as the run is stopped, though a request may be on its way
 */
export function listing(
	functions: IPollFunctions,
	api: Api,
	usualSize: number,
	budget: Budget,
): FetchPage {
	const status = functions.getNodeParameter('status') as number;
	return async (page, pageSize = usualSize) => {
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
		const fetched = await budget.timed(askForPage(send, request, page, pageSize));
		return { records: fetched.records, hasMore: fetched.hasMore ?? fetched.records.length > 0 };
	};
}
