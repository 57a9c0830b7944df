import type {
	IDataObject,
	INodeExecutionData,
	IPollFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';
import type { Api } from '../shared/api';
import { MAX_PAGE_SIZE, Stopped, addressKey, logHindrance, openApi } from '../shared/api';
import { Failure } from '../shared/failures/failure';
import { asFailure, toNodeApiError } from '../shared/failures/raise';
import { DEFAULT_SETTINGS } from '../shared/exchange/settings';
import { Budget } from './budget';
import { toCursor } from './cursor';
import { itemMaker } from './items';
import { listing } from './listing';
import { findNew, isSameListing, newest, start } from './newMembers';

// The API's default, as listing members is slow and only the newest one is wanted.
const PAGE_SIZE_IN_A_TEST = 10;

// n8n before 2.41 does not say how long a poll may take.
const BUDGET_MS = 60_000;

const underWay = new Map<string, Promise<unknown>>();

/**
 * The trigger starts from now when a person switches it on. In all other modes it goes on, so that none is
 * missed: n8n polls with `update` after a change to a workflow that was active until then, `init` after a
 * restart, and `leadershipChange` when another main process takes over (n8n, `WorkflowService` and
 * `ActiveWorkflowManager`).
 */
const SWITCHED_ON: WorkflowActivateMode[] = ['activate', 'create'];

// n8n polls with the same functions for as long as the workflow is active (n8n-core, `activatePollTrigger`).
const started = new WeakSet<IPollFunctions>();

/**
 * Asks the API who has joined.
 *
 * @returns the new members, the oldest first; null if there is none
 * @throws NodeApiError when the API cannot answer; the cursor stays, so none is missed
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (this.getMode() === 'manual') return await itemsOf(this, newestAlone);
	const key = `${this.getWorkflow().id}/${this.getNode().id}`;
	// n8n starts the next poll also while one is still at work; both would find the same members. And
	// when one ends, n8n 2.41 takes the engine for expressions away from the other one too.
	const other = underWay.get(key);
	if (other) {
		await other;
		if (!isSwitchedOn(this)) return null;
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
		return [records.map((record) => ({ json: toJson(api.redactor.record(record)) }))];
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
	const name = `${addressKey(api.baseUrl)} ${String(functions.getNodeParameter('status'))}`;
	const kept = functions.getWorkflowStaticData('node');
	// Forgotten before anything can go wrong: n8n may try again in another mode.
	if (isSwitchedOn(functions)) kept.cursor = undefined;
	let cursor = toCursor(kept.cursor);
	budget.isGoingOn = cursor !== undefined;
	if (cursor && cursor.listing !== name) {
		// The same community can have another address by now, e.g. its custom domain.
		const isSame =
			statusOf(cursor.listing) === statusOf(name) && (await isSameListing(cursor, fetchPage));
		cursor = isSame ? { ...cursor, listing: name } : undefined;
	}
	// Another community, or another status, is another listing: it starts from now, too.
	if (!cursor) {
		kept.cursor = await start(name, fetchPage);
		started.add(functions);
		return [];
	}
	const step = await findNew(cursor, fetchPage);
	// Only now: a poll that the API does not answer is repeated from where the last one stood.
	kept.cursor = step.cursor;
	if (step.stopped) throw step.stopped;
	return step.found;
}

function isSwitchedOn(functions: IPollFunctions): boolean {
	return SWITCHED_ON.includes(functions.getActivationMode()) && !started.has(functions);
}

function statusOf(name: string): string {
	return name.slice(name.lastIndexOf(' '));
}
