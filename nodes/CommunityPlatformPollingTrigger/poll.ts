import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { Api } from '../shared/api';
import { MAX_PAGE_SIZE, Stopped, addressKey, logHindrance, openApi } from '../shared/api';
import { Failure } from '../shared/failures/failure';
import { asFailure, toNodeApiError } from '../shared/failures/raise';
import { DEFAULT_SETTINGS } from '../shared/exchange/settings';
import { Budget } from './budget';
import type { Cursor } from './cursor';
import { drain, isSameListing, newest, start } from './drain';
import { itemMaker } from './items';
import { listing } from './listing';

// The API's own (specification, "Limits"), as listing members is slow and only the newest one is wanted.
const PAGE_SIZE_IN_A_TEST = 10;

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
	if (this.getMode() === 'manual') return await itemsOf(this, newestAlone);
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
	find: (functions: IPollFunctions, api: Api, budget: Budget) => Promise<IDataObject[]>,
): Promise<INodeExecutionData[][] | null> {
	const budget = new Budget(functions.getPollBudgetMs?.() ?? BUDGET_MS);
	try {
		// Read first: once the cursor has moved, nothing may go wrong any more.
		const toJson = itemMaker(functions);
		const api = await openApi(functions, DEFAULT_SETTINGS, budget.stop);
		const records = await find(functions, api, budget).finally(() => logHindrance(api));
		if (records.length === 0) return null;
		return [records.map((record) => ({ json: toJson(record) }))];
	} catch (error) {
		throw toNodeApiError(failureOf(error, budget), functions.getNode());
	} finally {
		budget.end();
	}
}

function failureOf(error: unknown, budget: Budget): Failure {
	if (!(error instanceof Stopped)) return asFailure(error);
	return budget.failure(error.cause instanceof Failure ? error.cause : undefined);
}

// What follows in the workflow is carried out for real in a manual test, too: once, not ten times.
async function newestAlone(
	functions: IPollFunctions,
	api: Api,
	budget: Budget,
): Promise<IDataObject[]> {
	const member = await newest(listing(functions, api, PAGE_SIZE_IN_A_TEST, budget));
	return member ? [member] : [];
}

async function joinedSince(
	functions: IPollFunctions,
	api: Api,
	budget: Budget,
): Promise<IDataObject[]> {
	const fetchPage = listing(functions, api, MAX_PAGE_SIZE, budget);
	const source = `${addressKey(api.baseUrl)} ${String(functions.getNodeParameter('status'))}`;
	const kept = functions.getWorkflowStaticData('node') as { cursor?: Cursor };
	let { cursor } = kept;
	if (cursor && cursor.source !== source) {
		// The same community can have another address by now (specification, "What the service does").
		const isSame =
			statusOf(cursor.source) === statusOf(source) && (await isSameListing(cursor, fetchPage));
		cursor = isSame ? { ...cursor, source } : undefined;
	}
	// Another community, or another status, is another listing: it starts from now, too.
	if (!cursor) {
		kept.cursor = await start(source, fetchPage);
		return [];
	}
	const step = await drain(
		cursor,
		fetchPage,
		() => budget.isAmple,
		() => budget.pages,
	);
	// Only now: a poll that the API does not answer is repeated from where the last one stood.
	kept.cursor = step.cursor;
	if (step.stopped) throw step.stopped;
	return step.found;
}

function statusOf(source: string): string {
	return source.slice(source.lastIndexOf(' '));
}
