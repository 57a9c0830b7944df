import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { MEMBER_EVENTS } from '../shared/events';
import { asFailure, isGone, toItemJson, toNodeError } from '../shared/failure';
import { Cancellation, wait } from '../shared/async/cancel';
import { isMsid, isNamedBy } from '../shared/records/identity';
import { fillEmpty } from '../shared/records/form';
import { user } from '../shared/records/types';
import { Cancelled, READ, logThrottling, connect, type Api } from '../shared/transport';
import { deduplicate } from './deduplicate';
import { readerOf } from './properties';

/**
 * Confirms the items that `receive` has made, and drops those that an earlier execution returned. They are recorded
 * last, so that they can be delivered again if this fails.
 */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const toOutput = (json: IDataObject) => ({ json, pairedItem: { item: 0 } });
	try {
		const received = this.getInputData().map(({ json }) => json);
		const read = readerOf({
			getNodeParameter: (name: string, unset: object) => this.getNodeParameter(name, 0, unset),
		});
		const items = read('confirmWithApi') === true ? await confirm(this, received) : received;
		const isStrict = read('options.ignoreDuplicates') === true;
		const fresh = isStrict ? await withoutRepeats(this, items) : items;
		return [fresh.map(toOutput)];
	} catch (error) {
		if (error instanceof Cancelled) return [[]];
		if (!this.continueOnFail()) throw toNodeError(error, this.getNode());
		return [[toOutput(toItemJson(asFailure(error), this))]];
	}
}

async function confirm(functions: IExecuteFunctions, items: IDataObject[]): Promise<IDataObject[]> {
	// A trigger runs once per execution, which the signal ends.
	const cancellation = new Cancellation();
	cancellation.follow(functions.getExecutionCancelSignal());
	const api = await connect(functions, cancellation);
	// A manual test drops nothing, so that an invented delivery works.
	const isManual = functions.getMode() === 'manual';
	const confirmed: IDataObject[] = [];
	try {
		for (const item of items) {
			const member = item.user as IDataObject | undefined;
			const record = member && (await confirmMember(api, member));
			if (record) confirmed.push({ ...item, user: fillEmpty(record, user) });
			else if (!member || isManual || mayBeGone(item)) confirmed.push(item);
		}
		return confirmed;
	} finally {
		logThrottling(api);
	}
}

// An unknown event may be forged, so its member has to exist.
function mayBeGone({ event }: IDataObject): boolean {
	return MEMBER_EVENTS.get(String(event))?.isThere === false;
}

// An event can be faster than the server that reads are sent to.
const PAUSES_MS = [0, 250, 500, 1250];

// Returns the API's own record of a member. Undefined if there is no such member.
async function confirmMember(api: Api, { msid }: IDataObject): Promise<IDataObject | undefined> {
	if (!isMsid(msid)) return undefined;
	const path = `/users/${encodeURIComponent(msid)}`;
	const request = { ...READ, path, expects: { record: user } };
	for (const pauseMs of PAUSES_MS) {
		await wait(pauseMs, api.cancellation);
		const answer = await api.send(request).catch((error: unknown) => {
			if (!isGone(error)) throw error;
		});
		if (!answer) continue;
		const record = answer.body as IDataObject;
		// Another member confirms nothing, because the sid may be forged.
		return isNamedBy(record, user, msid) ? record : undefined;
	}
	return undefined;
}

async function withoutRepeats(
	functions: IExecuteFunctions,
	items: IDataObject[],
): Promise<IDataObject[]> {
	const mode = functions.getMode();
	if (items.length === 0 || mode === 'manual') return items;
	const keys = items.map(({ dedupe_key }) => dedupe_key as string);
	const fresh = await deduplicate(functions, keys);
	// A retried execution returns its items, even if its first try recorded them.
	if (mode === 'retry') return items;
	// Each key once, even if a delivery contains the same object twice.
	return items.filter(({ dedupe_key }) => fresh.delete(dedupe_key));
}
