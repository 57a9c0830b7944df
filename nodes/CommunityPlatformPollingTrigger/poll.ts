import type {
	IDataObject,
	INodeExecutionData,
	IPollFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';
import type { Api } from '../shared/transport';
import {
	MAX_PAGE_SIZE,
	Stopped,
	addressKey,
	openApi,
	withThrottlingLogged,
} from '../shared/transport';
import { Failure, asFailure, toNodeApiError } from '../shared/transport/failure';
import { DEFAULT_SETTINGS } from '../shared/transport/api';
import { Budget } from './budget';
import { toCursor } from './cursor';
import { itemMaker } from './items';
import { memberPages } from './memberPages';
import { findNew, isSameListing, newestMember, start } from './newMembers';

// The API's default: listing members is slow, and a manual test gives only the newest one.
const PAGE_SIZE_IN_A_TEST = 10;

// Before 2.41, n8n does not say how long a poll may take (docs/decisions.md, E29).
const BUDGET_MS = 60_000;

const underWay = new Map<string, Promise<unknown>>();

/**
 * The activation modes in which the trigger starts from now, because a person has switched it on. In all others it goes
 * on where it was, so that no member is missed (docs/decisions.md, E29).
 */
const SWITCHED_ON: WorkflowActivateMode[] = ['activate', 'create'];

// The functions of triggers that have started: n8n uses the same ones as long as the workflow is active.
const started = new WeakSet<IPollFunctions>();

/**
 * Polls the API for members who have joined.
 *
 * @returns the new members, the oldest first; null if there are none
 * @throws NodeApiError when the API cannot answer; the cursor stays, so that no member is missed
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (this.getMode() === 'manual') return await itemsOf(this, findNewest);
	const key = `${this.getWorkflow().id}/${this.getNode().id}`;
	// n8n starts a poll also while the last one is still in progress: both would give the same members, and when one
	// ends, n8n 2.41 disposes of the sandbox for expressions that the other one uses.
	const other = underWay.get(key);
	if (other) {
		await other;
		if (!isSwitchedOn(this)) return null;
	}
	const items = itemsOf(this, findJoined);
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
		// First, because nothing may fail once the cursor has moved.
		const toJson = itemMaker(functions);
		const api = await openApi(functions, DEFAULT_SETTINGS, budget.stop);
		const looking = find(functions, api, budget);
		const records = await withThrottlingLogged(api, looking, 'the poll was not completed');
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

// A manual test runs the following nodes for real: once, not ten times.
async function findNewest(
	functions: IPollFunctions,
	api: Api,
	budget: Budget,
): Promise<IDataObject[]> {
	const member = await newestMember(memberPages(functions, api, PAGE_SIZE_IN_A_TEST, budget));
	return member ? [member] : [];
}

async function findJoined(
	functions: IPollFunctions,
	api: Api,
	budget: Budget,
): Promise<IDataObject[]> {
	const fetchPage = memberPages(functions, api, MAX_PAGE_SIZE, budget);
	const name = `${addressKey(api.baseUrl)} ${String(functions.getNodeParameter('status'))}`;
	const kept = functions.getWorkflowStaticData('node');
	// First, because n8n may retry a failed activation in another mode.
	if (isSwitchedOn(functions)) kept.cursor = undefined;
	let cursor = toCursor(kept.cursor);
	budget.isGoingOn = cursor !== undefined;
	if (cursor && cursor.listing !== name) {
		// The same community may have another address now, e.g. its custom domain.
		const isSame =
			statusOf(cursor.listing) === statusOf(name) && (await isSameListing(cursor, fetchPage));
		cursor = isSame ? { ...cursor, listing: name } : undefined;
	}
	// For another community or another status, the trigger starts from now, too.
	if (!cursor) {
		kept.cursor = await start(name, fetchPage);
		started.add(functions);
		return [];
	}
	const step = await findNew(cursor, fetchPage);
	// Only now: after a failed poll, the next one begins where the last successful one ended.
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
