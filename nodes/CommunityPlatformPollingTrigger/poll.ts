import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { hasMore } from '../shared/answer';
import { API_PATH, MAX_PAGE_SIZE } from '../shared/api';
import type { Api } from '../shared/call';
import { call, logHindrance, openApi } from '../shared/call';
import type { ApiRequest } from '../shared/request';
import { toOutput } from '../shared/output';
import { asFailure, toNodeApiError } from '../shared/raise';
import { user } from '../shared/records';
import { recordsOf } from '../shared/recordsOf';
import { DEFAULT_SETTINGS } from '../shared/settings';
import type { Cursor } from './cursor';
import type { FetchPage } from './drain';
import { drain, start } from './drain';

const SHOWN_IN_A_TEST = 10;

// n8n before 2.41 does not say how long a poll may take.
const BUDGET_MS = 60_000;

const underWay = new Map<string, Promise<unknown>>();

/**
 * Asks the API who has joined (contract, "Triggers").
 *
 * @returns the new members, the oldest first; null if there is nobody
 * @throws NodeApiError when the API cannot answer; the cursor stays, so nothing is lost
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (this.getMode() === 'manual') return await itemsOf(this, newest);
	const key = `${this.getWorkflow().id}/${this.getNode().id}`;
	// n8n starts the next poll also while one is still at work; both would find the same members. And
	// when one ends, n8n 2.41 takes the engine for expressions away from the other one too.
	const other = underWay.get(key);
	if (other) {
		await other;
		return null;
	}
	const items = itemsOf(this, joinedSince);
	underWay.set(
		key,
		items.catch(() => null),
	);
	try {
		return await items;
	} finally {
		underWay.delete(key);
	}
}

async function itemsOf(
	functions: IPollFunctions,
	find: (functions: IPollFunctions, api: Api) => Promise<IDataObject[]>,
): Promise<INodeExecutionData[][] | null> {
	try {
		// Read first: once the cursor has moved, nothing may go wrong any more.
		const simplify = functions.getNodeParameter('simplify', true) === true;
		const api = await openApi(functions, DEFAULT_SETTINGS);
		const records = await find(functions, api).finally(() => logHindrance(api));
		if (records.length === 0) return null;
		const form = { simplify, includeEmptyFields: true };
		return [records.map((record) => ({ json: toOutput(record, user, form) }))];
	} catch (error) {
		throw toNodeApiError(asFailure(error), functions.getNode());
	}
}

async function newest(functions: IPollFunctions, api: Api): Promise<IDataObject[]> {
	const { records } = await listing(functions, api, SHOWN_IN_A_TEST)(1);
	return [...records].reverse();
}

async function joinedSince(functions: IPollFunctions, api: Api): Promise<IDataObject[]> {
	const startedAt = Date.now();
	const budget = functions.getPollBudgetMs?.() ?? BUDGET_MS;
	const fetchPage = listing(functions, api, MAX_PAGE_SIZE);
	const source = `${api.baseUrl} ${String(functions.getNodeParameter('status'))}`;
	const kept = functions.getWorkflowStaticData('node') as { cursor?: Cursor };
	// Another community, or another status, is another listing: it starts from now, too.
	if (kept.cursor?.source !== source) {
		kept.cursor = await start(source, fetchPage);
		return [];
	}
	// The other half of the time is left for requests that have to be repeated.
	const hasTime = () => Date.now() - startedAt < budget / 2;
	const { found, cursor } = await drain(kept.cursor, fetchPage, hasTime);
	// Only now: a poll that ends with an exception is repeated from where the last one stood.
	kept.cursor = cursor;
	return found;
}

function listing(functions: IPollFunctions, api: Api, pageSize: number): FetchPage {
	const status = functions.getNodeParameter('status') as number;
	return async (page) => {
		const request: ApiRequest = {
			method: 'GET',
			path: `${API_PATH}/users`,
			qs: { sort_by: 'joined', order: 'desc', status, page, page_size: pageSize },
		};
		const answer = await call(functions, api, request);
		const records = recordsOf(answer, request);
		return { records, hasMore: hasMore(answer) ?? records.length >= pageSize };
	};
}
