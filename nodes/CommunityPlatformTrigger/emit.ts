import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { asFailure, isGone, toItemJson, toNodeError } from '../shared/failure';
import { entitiesOf, toItem, type Entity } from '../shared/events';
import { Cancellation } from '../shared/limiter/cancel';
import { isMsid, isNamedBy } from '../shared/records/identity';
import { user } from '../shared/records/types';
import { Cancelled, logThrottling, connect, type Api } from '../shared/transport';
import { deduplicate } from './deduplicate';
import type { Delivery } from './receive';

/** Turns a delivery into items. It is recorded last, so that it can be delivered again if this fails. */
export async function emit(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const toOutput = (json: IDataObject) => ({ json, pairedItem: { item: 0 } });
	try {
		const [{ json: delivery }] = this.getInputData();
		return [(await itemsOf(this, delivery as Delivery)).map(toOutput)];
	} catch (error) {
		if (error instanceof Cancelled) return [[]];
		if (!this.continueOnFail()) throw toNodeError(error, this.getNode());
		return [[toOutput(toItemJson(asFailure(error), this))]];
	}
}

async function itemsOf(
	functions: IExecuteFunctions,
	{ received_at, body }: Delivery,
): Promise<IDataObject[]> {
	const options = functions.getNodeParameter('options', 0, {}) as IDataObject;
	const delivered = entitiesOf(body);
	const isConfirming = functions.getNodeParameter('confirmWithApi', 0, false) === true;
	const entities = isConfirming ? await confirm(functions, delivered) : delivered;
	// Other kinds of events can have no object.
	const items =
		delivered.length === 0
			? [toItem(body, received_at)]
			: entities.map((entity) => toItem(body, received_at, entity));
	return options.ignoreDuplicates === false ? items : await withoutRepeats(functions, items);
}

async function confirm(functions: IExecuteFunctions, entities: Entity[]): Promise<Entity[]> {
	// A trigger runs once per execution, which the signal ends.
	const cancellation = new Cancellation();
	cancellation.follow(functions.getExecutionCancelSignal());
	const api = await connect(functions, cancellation);
	// A manual test drops nothing, so that an invented delivery works.
	const isManual = functions.getMode() === 'manual';
	const confirmed: Entity[] = [];
	try {
		for (const entity of entities) {
			const isMember = entity.kind === 'user';
			const record = isMember ? await confirmMember(api, entity.record) : entity.record;
			if (record ?? isManual) confirmed.push({ ...entity, record: record ?? entity.record });
		}
		return confirmed;
	} finally {
		logThrottling(api);
	}
}

// Returns the API's own record of a member. Undefined if there is no such member.
async function confirmMember(api: Api, { msid }: IDataObject): Promise<IDataObject | undefined> {
	if (!isMsid(msid)) return undefined;
	const path = `/users/${encodeURIComponent(msid)}`;
	const request = { method: 'GET', path, expects: { record: user } } as const;
	const answer = await api.send(request).catch((error: unknown) => {
		if (!isGone(error)) throw error;
	});
	const record = answer?.body as IDataObject | undefined;
	// Another member confirms nothing, because the sid may be forged.
	return record && isNamedBy(record, user, msid) ? record : undefined;
}

async function withoutRepeats(
	functions: IExecuteFunctions,
	items: IDataObject[],
): Promise<IDataObject[]> {
	const mode = functions.getMode();
	if (items.length === 0 || mode === 'manual') return items;
	const keys = items.map(({ dedupe_key }) => dedupe_key as string);
	const fresh = await deduplicate(functions, keys);
	// A retried execution returns its items, even if its first attempt recorded them.
	if (mode === 'retry') return items;
	// Each key once, even if a delivery contains the same object twice.
	return items.filter(({ dedupe_key }) => fresh.delete(dedupe_key));
}
