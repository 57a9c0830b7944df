import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { Failure, asFailure, toNodeError } from '../shared/failure';
import { KeyedLock } from '../shared/async/lock';
import { Cancellation } from '../shared/async/cancel';
import { readFilters, refuseHidden, roleIds } from '../shared/triggerParameters';
import { pages } from '../shared/pagination';
import { isIdentifier } from '../shared/records/identity';
import { userList } from '../shared/records/types';
import { Cancelled, logLine, logThrottling, connect, type Api } from '../shared/transport';
import { findChanges, findExample } from './changed';
import { advance, reaching, recognizes, startAt, type Cursor, type Reading } from './cursor';
import { ItemMaker } from './items';
import { readerOf } from './properties';
import { isStart, readPages } from './reading';
import { loadCursor, saveCursor } from './storage';

// Before 2.38, n8n does not report how long a poll can take (docs/decisions.md, E29).
const POLL_MS = 60_000;
// The rest of the time is for handing over the items.
const USABLE = 0.9;
// A person waits for a manual test.
const MAX_PAGES_OF_TEST = 10;

// In these activation modes it starts from now, in others it continues where it stopped (docs/decisions.md, E29).
const SWITCHED_ON = ['activate', 'create'];
const RESTARTED = ['init', 'leadershipChange'];

// Mark the functions that n8n polls with while a workflow is active. An update of the package loads this file again.
const STARTED = Symbol.for('n8n-nodes-community-platform.started');
const POLLING = Symbol.for('n8n-nodes-community-platform.polling');

const pollLocks = new KeyedLock();

/** Polls for new members, the oldest first, or for changes. Null if there are none. Throws a NodeApiError. */
export async function poll(
	this: IPollFunctions & { [POLLING]?: boolean },
): Promise<INodeExecutionData[][] | null> {
	if (this.getMode() === 'manual') return await pollOnce(this);
	const key = `${this.getWorkflow().id}/${this.getNode().id}`;
	const mode = this.getActivationMode();
	const isAfterRestart = RESTARTED.includes(mode) && !(POLLING in this);
	const isSwitchedOn = SWITCHED_ON.includes(mode) && !(STARTED in this);
	const { ready, release } = pollLocks.acquire(key);
	try {
		// n8n starts a poll while the last one runs (E29). Both would return the same members, and when one ends, n8n 2.41
		// disposes of the sandbox for expressions that the other one uses.
		const isOverlapping = ready !== undefined;
		await ready;
		if ((isOverlapping && !isSwitchedOn) || this[POLLING]) return null;
		this[POLLING] = true;
		if (isSwitchedOn) {
			Object.defineProperty(this, STARTED, { value: true });
			saveCursor(this, undefined);
		}
		return await pollOnce(this, isAfterRestart).finally(() => {
			this[POLLING] = false;
		});
	} finally {
		release();
	}
}

async function pollOnce(functions: IPollFunctions, isAfterRestart = false) {
	const usableMs = (functions.getPollBudgetMs?.() ?? POLL_MS) * USABLE;
	const signal = AbortSignal.timeout(usableMs);
	const cancellation = new Cancellation();
	cancellation.follow(signal);
	// Ends a request that is in flight then (docs/decisions.md, E35).
	const getExecutionCancelSignal = { value: () => signal };
	const timed = Object.create(functions, { getExecutionCancelSignal }) as IPollFunctions;
	let isOfChanges = false;
	try {
		isOfChanges = readerOf(functions)('triggerOn') === 'memberChanged';
		const api = await connect(timed, cancellation);
		const isTest = functions.getMode() === 'manual';
		const [findNew, findChanged] = isTest ? [findNewest, findExample] : [findJoined, findChanges];
		const finding = isOfChanges ? findChanged(timed, api) : findNew(timed, api);
		const items = await finding.finally(() => logThrottling(api));
		return items.length === 0 ? null : [items.map((json) => ({ json }))];
	} catch (error) {
		const isOver = error instanceof Cancelled;
		const failure = isOver ? timeIsOver(error, usableMs, isOfChanges) : asFailure(error);
		// After a restart, n8n would not publish the workflow if this poll failed. With a cursor, the next one finds all.
		const mayFail = isAfterRestart && loadCursor(functions) !== undefined;
		if (!mayFail) throw toNodeError(failure, functions.getNode());
		const text = `the first poll did not succeed, so the next one tries again: ${failure.message}`;
		functions.logger.warn(logLine(functions, text));
		return null;
	} finally {
		// Nothing is sent once the poll has ended.
		cancellation.cancel();
	}
}

function timeIsOver({ cause }: Cancelled, usableMs: number, isOfChanges: boolean): Failure {
	// Without a status, the time limit has just cut the connection.
	const last = cause instanceof Failure && cause.details.httpCode ? cause : undefined;
	const seconds = (usableMs / 1000).toFixed(1);
	const ending = last ? ` The last attempt ended with: "${last.message}".` : '';
	const text = isOfChanges
		? `Each poll has to read all members within this time.${ending} If this keeps happening, ask your community platform's support for a higher rate limit, or build the comparison yourself with a Schedule Trigger, Member → Get Many and a Compare Datasets node.`
		: `The next poll finds the members that this one missed.${ending} If this keeps happening, poll less often, or ask your community platform's support why the API is slow.`;
	const reason = `The poll could not finish within ${seconds} s`;
	return new Failure(reason, text, last?.details);
}

// A manual test runs the following nodes for real, so it returns one member, not ten.
async function findNewest(functions: IPollFunctions, api: Api): Promise<IDataObject[]> {
	const maker = new ItemMaker(functions, api);
	let pagesLeft = MAX_PAGES_OF_TEST;
	for await (const { records } of members(functions, api)) {
		for (const record of records) {
			const { items } = await maker.make([record], { records });
			if (items.length > 0) return items;
		}
		if (--pagesLeft === 0) break;
	}
	return [];
}

async function findJoined(functions: IPollFunctions, api: Api): Promise<IDataObject[]> {
	const status = String(readerOf(functions)('status'));
	const listing = `${api.address} ${status}`;
	const maker = new ItemMaker(functions, api);
	const kept = loadCursor(functions);
	const cursor = kept && 'known' in kept && kept.listing.endsWith(` ${status}`) ? kept : undefined;
	const reading = cursor && (await readSince(functions, api, listing, cursor));
	// With another community or status, the trigger also starts from now.
	if (!reading) return await startFromNow(functions, api, listing);
	const step = advance(cursor, reading);
	// First, because nothing must fail once the cursor has moved.
	const { items, unread } = await maker.make(step.found, reading, cursor.unread);
	saveCursor(functions, { ...step.cursor, listing, unread });
	const { error } = reading;
	const isFruitless = error instanceof Failure || reading.pages < 2;
	if (error && isFruitless && step.found.length + items.length === 0) throw error;
	return items;
}

/** Reads the members since the last poll. Undefined if the cursor belongs to another community. */
async function readSince(
	functions: IPollFunctions,
	api: Api,
	listing: string,
	cursor: Cursor,
): Promise<Reading | undefined> {
	const reading = await readPages(members(functions, api, cursor.resumeAt?.page), reaching(cursor));
	// The same community may have another address now, e.g. its custom domain.
	const isSame = cursor.listing === listing || recognizes(cursor, reading.records);
	if (reading.pages > 0 && isSame) return reading;
	if (reading.error) throw reading.error;
	return undefined;
}

async function startFromNow(functions: IPollFunctions, api: Api, listing: string): Promise<[]> {
	const reading = await readPages(members(functions, api), isStart);
	if (reading.error) throw reading.error;
	saveCursor(functions, startAt(listing, reading));
	return [];
}

/** Yields the members with the status that the node looks for, the newest first, page by page. */
async function* members(functions: IPollFunctions, api: Api, from?: number) {
	const status = readerOf(functions)('status') as number;
	const qs = { sort_by: 'joined', order: 'desc', status };
	const isByRole = readFilters(functions).roles.length > 0;
	for await (const page of pages(api, { path: '/users', qs }, userList, { from })) {
		// The API leaves out fields that the owner of the key cannot see (docs/decisions.md, A28).
		const hasRole = ({ role_id }: IDataObject) => isIdentifier(role_id);
		if (isByRole) refuseHidden(page.records, hasRole, 'roles', roleIds.displayName);
		yield page;
	}
}
