import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Api } from '../shared/transport';
import { Stopped, openApi, withThrottlingLogged } from '../shared/transport';
import type { Envelope } from '../shared/events/item';
import { toItem } from '../shared/events/item';
import { asFailure, toItemJson, toNodeApiError } from '../shared/transport/failure';
import { DEFAULT_SETTINGS } from '../shared/transport/api';
import { Stop } from '../shared/limiter';
import { confirmMember } from './confirm';
import { deduplicate } from './deduplicate';
import type { CommunityEvent, DeliveredEntity } from './event';
import { entitiesOf, jobIdOf, keyOf, readEvent } from './event';
import type { Options } from './properties';
import type { Delivery } from './receive';

// n8n keeps a digest of 27 bytes of each key, all in one row, which is read and written twice for every delivery.
const MOST_RECORDED = 2500;

/**
 * Turns deliveries into items: reads members back where asked for, and drops duplicates. A delivery is recorded last,
 * so that one that failed can be delivered again.
 */
export async function emit(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const stop = new Stop();
	const unfollow = stop.follow(this.getExecutionCancelSignal());
	try {
		return [await itemsOfAll(this, stop)];
	} finally {
		unfollow();
	}
}

async function itemsOfAll(functions: IExecuteFunctions, stop: Stop): Promise<INodeExecutionData[]> {
	const items: INodeExecutionData[] = [];
	for (const [index, { json }] of functions.getInputData().entries()) {
		try {
			const records = await itemsOf(functions, json as Delivery, stop);
			for (const record of records) items.push({ json: record, pairedItem: { item: index } });
		} catch (error) {
			if (error instanceof Stopped) break;
			const failure = asFailure(error);
			if (!functions.continueOnFail()) throw toNodeApiError(failure, functions.getNode(), index);
			items.push({ json: toItemJson(failure, functions), pairedItem: { item: index } });
		}
	}
	return items;
}

async function itemsOf(
	functions: IExecuteFunctions,
	{ received_at, body }: Delivery,
	stop: Stop,
): Promise<IDataObject[]> {
	const read = readEvent(body);
	if ('reason' in read) return [];
	const { event } = read;
	const options = functions.getNodeParameter('options', 0, {}) as Options;
	const claimed = entitiesOf(event);
	const isConfirming = functions.getNodeParameter('confirmWithApi', 0, false) === true;
	const entities = isConfirming ? await confirm(functions, claimed, stop) : claimed;
	const envelope = (key: string): Envelope => ({
		event: event.event,
		job_id: jobIdOf(event),
		received_at,
		dedupe_key: key,
	});
	const made = options.rawPayload
		? rawItem(event, entities.length === claimed.length, envelope)
		: shapedItems(event, claimed, entities, envelope);
	if (options.ignoreDuplicates === false) return made;
	return await withoutRepeats(functions, made);
}

type MakeEnvelope = (key: string) => Envelope;

function shapedItems(
	event: CommunityEvent,
	claimed: DeliveredEntity[],
	entities: DeliveredEntity[],
	envelope: MakeEnvelope,
): IDataObject[] {
	// An event of another kind may be about no object.
	if (claimed.length === 0) return [toItem(envelope(keyOf(event)))];
	return entities.map((entity) => toItem(envelope(entity.key), entity));
}

// The whole body is given only if each of its objects is confirmed.
function rawItem(
	event: CommunityEvent,
	isConfirmed: boolean,
	envelope: MakeEnvelope,
): IDataObject[] {
	if (!isConfirmed) return [];
	const keys = entitiesOf(event).map(({ key }) => key);
	const { received_at, dedupe_key } = envelope(keys.join() || keyOf(event));
	return [{ ...event, received_at, dedupe_key }];
}

async function confirm(
	functions: IExecuteFunctions,
	claimed: DeliveredEntity[],
	stop: Stop,
): Promise<DeliveredEntity[]> {
	if (!claimed.some(({ kind }) => kind === 'user')) return claimed;
	const api = await openApi(functions, DEFAULT_SETTINGS, stop);
	const reading = readBack(functions, claimed, api);
	return await withThrottlingLogged(api, reading, 'the event was not confirmed');
}

async function readBack(
	functions: IExecuteFunctions,
	claimed: DeliveredEntity[],
	api: Api,
): Promise<DeliveredEntity[]> {
	const confirmed: DeliveredEntity[] = [];
	for (const entity of claimed) {
		if (entity.kind !== 'user') {
			confirmed.push(entity);
			continue;
		}
		const record = await confirmMember(functions, api, entity.record);
		if (record) confirmed.push({ ...entity, record });
		// A manual test drops nothing, so that a made-up delivery can be used.
		else if (functions.getMode() === 'manual') confirmed.push(entity);
	}
	return confirmed;
}

async function withoutRepeats(
	functions: IExecuteFunctions,
	items: IDataObject[],
): Promise<IDataObject[]> {
	const mode = functions.getMode();
	if (items.length === 0 || mode === 'manual') return items;
	const node = `${functions.getWorkflow().id}/${functions.getNode().id}`;
	const fresh = await deduplicate(
		node,
		items.map(({ dedupe_key }) => dedupe_key as string),
		async (keys) =>
			await functions.helpers.checkProcessedAndRecord(keys, 'node', {
				mode: 'entries',
				maxEntries: MOST_RECORDED,
			}),
	);
	// A retried execution gives its items, also if its first run had recorded them.
	if (mode === 'retry') return items;
	// Each key once, also if one delivery holds the same object twice.
	return items.filter(({ dedupe_key }) => fresh.delete(dedupe_key as string));
}
