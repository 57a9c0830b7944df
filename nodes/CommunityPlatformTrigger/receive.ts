import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { asFailure } from '../shared/failure';
import { entitiesOf, toItem, type CommunityEvent } from '../shared/events';
import { matchesMember, readFilters } from '../shared/triggerParameters';
import { logLine } from '../shared/transport';
import { needsOtherEngine } from './activate';
import { allowlistOf, isInRanges } from './allowlist';
import { bodyOf, readEvent } from './body';
import { ANY_EVENT, readerOf } from './properties';
import { isVerified } from './verify';

/**
 * Verifies a delivery, answers it, and makes its items (docs/triggers.md, "What the community gets back"). A refusal is written on
 * the response, because throwing would store a failed execution (docs/decisions.md, E14).
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await answered(this);
	} catch (error) {
		// An expression has no value, or n8n's database is busy. After 503, the community may deliver the event again.
		const text = `a delivery is refused, because the settings cannot be read (${asFailure(error).message})`;
		this.logger.warn(logLine(this, text));
		return refuse(this, 503, 'The settings of this trigger cannot be read right now');
	}
}

async function answered(functions: IWebhookFunctions): Promise<IWebhookResponseData> {
	if (!(await isVerified(functions)))
		return refuse(functions, 401, 'The secret is missing or wrong');
	if (!isAllowed(functions))
		return refuse(functions, 403, 'This address is not on the IP allowlist');
	if (needsOtherEngine(functions))
		return refuse(functions, 503, 'This trigger has settings that do not work on Engine 2.0');
	const request = functions.getRequestObject();
	// n8n has read the bodies of usual types only (E23). The next line tells the sender if one cannot be read.
	if (!request.rawBody) await request.readRawBody().catch(() => {});
	const event = readEvent(bodyOf(request.rawBody));
	if (typeof event === 'string') return refuse(functions, 400, `Not an event: ${event}`);
	const part = selectedPart(functions, event);
	if (!part) return { webhookResponse: { message: 'Event not selected' } };
	const items = itemsOf(part).map((json) => ({ json }));
	return { webhookResponse: { message: 'Event accepted' }, workflowData: [items] };
}

// Returns the event with the members that the filters keep. Undefined if it is not selected or no member is left.
function selectedPart(functions: IWebhookFunctions, event: CommunityEvent) {
	const selected = readerOf(functions)('events') as string[];
	if (!selected.includes(ANY_EVENT) && !selected.includes(event.event)) return undefined;
	const { user } = event.entities;
	// A manual test drops nothing.
	if (!user?.length || functions.getMode() === 'manual') return event;
	const kept = user.filter(matchesMember(readFilters(functions)));
	return kept.length === 0 ? undefined : { ...event, entities: { ...event.entities, user: kept } };
}

// Only the event becomes items, because the rest of the request contains the secret.
function itemsOf(event: CommunityEvent): IDataObject[] {
	const receivedAt = new Date().toISOString();
	const entities = entitiesOf(event);
	// Other kinds of events can have no object.
	if (entities.length === 0) return [toItem(event, receivedAt)];
	return entities.map((entity) => toItem(event, receivedAt, entity));
}

function isAllowed(functions: IWebhookFunctions): boolean {
	const { ip, socket } = functions.getRequestObject();
	const ranges = allowlistOf(functions);
	// n8n has applied X-Forwarded-For to `ip` for the proxies that it is set to trust (N8N_PROXY_HOPS).
	return ranges.length === 0 || isInRanges(ip ?? socket?.remoteAddress, ranges);
}

function refuse(functions: IWebhookFunctions, status: number, message: string) {
	functions.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}
