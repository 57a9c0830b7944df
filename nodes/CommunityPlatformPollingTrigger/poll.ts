import type {
	IDataObject,
	INodeExecutionData,
	IPollFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { Stop, unlessStopped } from '../shared/limiter';
import { userList } from '../shared/records/types';
import type { Api } from '../shared/transport';
import {
	DEFAULT_SETTINGS,
	Failure,
	MAX_PAGE_SIZE,
	Stopped,
	addressKey,
	asFailure,
	call,
	hasMore,
	openApi,
	logLine,
	toNodeApiError,
	withThrottlingLogged,
} from '../shared/transport';
import { recognizes } from './cursor';
import { itemMaker } from './items';
import type { FetchPage } from './reading';
import { findNew, newestMember, start } from './reading';
import { loadCursor, saveCursor } from './storage';

// The API's default: listing members is slow, and a manual test gives only the newest one.
const PAGE_SIZE_IN_A_TEST = 10;

// Before 2.41, n8n does not say how long a poll may take (docs/decisions.md, E29).
const POLL_MS = 60_000;

// The rest of the time is for handing over the items.
const USABLE = 0.9;

// A request that the poll no longer waits for is cut off after this time.
const GRACE_MS = 1000;

/**
 * The activation modes in which the trigger starts from now, because a person has switched it on. In all others it goes
 * on where it was, so that no member is missed (docs/decisions.md, E29).
 */
const SWITCHED_ON: WorkflowActivateMode[] = ['activate', 'create'];

// The functions of triggers that have started: n8n uses the same ones as long as the workflow is active.
const started = new WeakSet<IPollFunctions>();

const underWay = new Map<string, Promise<unknown>>();

// Triggers that have polled since n8n started.
const polled = new Set<string>();

/**
 * Polls the API for members who have joined.
 *
 * @returns the new members, the oldest first; null if there are none
 * @throws NodeApiError when the API cannot answer; no member is missed by that
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
	// After a restart, n8n would not publish the workflow if this poll failed; with a cursor, the next one finds all.
	const mayFail = !polled.has(key) && !isSwitchedOn(this) && loadCursor(this) !== undefined;
	polled.add(key);
	const items = itemsOf(this, findJoined, mayFail);
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
	find: (functions: IPollFunctions, api: Api, deadline: number) => Promise<IDataObject[]>,
	mayFail = false,
): Promise<INodeExecutionData[][] | null> {
	const usableMs = (functions.getPollBudgetMs?.() ?? POLL_MS) * USABLE;
	const stop = new Stop();
	const unfollow = stop.follow(AbortSignal.timeout(usableMs));
	try {
		// First, because nothing may fail once the cursor has moved.
		const toJson = itemMaker(functions);
		const api = await openApi(functions, DEFAULT_SETTINGS, stop);
		const finding = find(functions, api, performance.now() + usableMs);
		const records = await withThrottlingLogged(api, finding, 'the poll was not completed');
		if (records.length === 0) return null;
		return [records.map((record) => ({ json: toJson(record) }))];
	} catch (error) {
		const isGoingOn = functions.getMode() !== 'manual' && loadCursor(functions) !== undefined;
		const failure =
			error instanceof Stopped ? timeIsOver(error, usableMs, isGoingOn) : asFailure(error);
		if (!mayFail) throw toNodeApiError(failure, functions.getNode());
		const text = `the first poll was not completed, the next one tries again: ${failure.message}`;
		functions.logger.warn(logLine(functions, text));
		return null;
	} finally {
		unfollow();
	}
}

function timeIsOver({ cause }: Stopped, usableMs: number, isGoingOn: boolean): Failure {
	const last = cause instanceof Failure ? cause : undefined;
	const advice = [
		...(isGoingOn
			? ['No member is missed: the next poll goes on where the last one stopped.']
			: []),
		...(last ? [`The last attempt ended with: "${last.message}".`] : []),
		'If this keeps happening, poll less often, or tell the operators of the community.',
	];
	return new Failure(
		`The API did not answer within the ${(usableMs / 1000).toFixed(1)} s that a poll may take`,
		advice.join(' '),
		last?.details,
	);
}

// A manual test runs the following nodes for real: once, not ten times.
async function findNewest(
	functions: IPollFunctions,
	api: Api,
	deadline: number,
): Promise<IDataObject[]> {
	const member = await newestMember(pagesOf(functions, api, PAGE_SIZE_IN_A_TEST, deadline));
	return member ? [member] : [];
}

async function findJoined(
	functions: IPollFunctions,
	api: Api,
	deadline: number,
): Promise<IDataObject[]> {
	const fetchPage = pagesOf(functions, api, MAX_PAGE_SIZE, deadline);
	const status = String(functions.getNodeParameter('status'));
	const listing = `${addressKey(api.baseUrl)} ${status}`;
	// First, because n8n may retry a failed activation in another mode.
	if (isSwitchedOn(functions)) saveCursor(functions, undefined);
	const cursor = loadCursor(functions);
	if (cursor?.listing.endsWith(` ${status}`)) {
		const { obstacle, ...step } = await findNew(cursor, fetchPage);
		// The same community may have another address now, e.g. its custom domain.
		if (cursor.listing === listing || recognizes(cursor, step.records)) {
			// Only now: after a failed poll, the next one begins where the last successful one ended.
			saveCursor(functions, { ...step.cursor, listing });
			const isFruitless = obstacle instanceof Failure || step.pages < 2;
			if (obstacle && step.found.length === 0 && isFruitless) throw obstacle;
			return step.found;
		}
		if (obstacle) throw obstacle;
	}
	// For another community or another status, the trigger starts from now, too.
	saveCursor(functions, await start(listing, fetchPage));
	started.add(functions);
	return [];
}

/** Pagination of the members with the status that the node looks for, see {@link FetchPage}. */
function pagesOf(
	functions: IPollFunctions,
	api: Api,
	page_size: number,
	deadline: number,
): FetchPage {
	const status = functions.getNodeParameter('status') as number;
	return async (page) => {
		const timeout = Math.max(0, Math.ceil(deadline - performance.now())) + GRACE_MS;
		const answering = call(
			functions,
			api,
			{
				method: 'GET',
				repeat: 'safe',
				path: '/users',
				qs: { sort_by: 'joined', order: 'desc', status, page, page_size },
				expects: { list: userList },
			},
			{ timeout },
		);
		const answer = await unlessStopped(answering, api.stop);
		if (!answer) throw new Stopped();
		// No content means no records.
		const records = Array.isArray(answer.body) ? (answer.body as IDataObject[]) : [];
		return { records, hasMore: hasMore(answer) };
	};
}

function isSwitchedOn(functions: IPollFunctions): boolean {
	return SWITCHED_ON.includes(functions.getActivationMode()) && !started.has(functions);
}
