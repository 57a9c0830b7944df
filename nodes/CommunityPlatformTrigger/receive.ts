import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { CommunityEvent } from '../shared/events';
import { memberFilter } from '../shared/memberFilters';
import { partsOf } from '../shared/text';
import { logLine } from '../shared/transport';
import { isInRanges } from './allowlist';
import { bodyOf, readEvent } from './body';
import type { Options } from './properties';
import { ANY_EVENT } from './properties';
import { isVerified } from './verify';

type Refusal = [status: number, message: string];

/** What `webhook` hands to `execute`: of the request only the body, because the rest holds the secret. */
export interface Delivery extends IDataObject {
	received_at: string;
	body: CommunityEvent;
}

/**
 * Verifies a delivery, and answers it (docs/triggers.md, "What the community gets as an answer"). A refusal is written
 * on the response, because throwing would store a failed execution (docs/decisions.md, E14). n8n answers an accepted
 * delivery once its execution is stored, so that a delivery that was answered with 200 cannot get lost.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const refusal = (await secretRefusal(this)) ?? addressRefusal(this);
	if (refusal) return refuse(this, refusal);
	const event = readEvent(bodyOf(this.getRequestObject().rawBody));
	if (typeof event === 'string') return refuse(this, [400, `Not an event: ${event}`]);
	const body = selectedPart(this, event);
	if (!body) return { webhookResponse: { message: 'Event not selected' } };
	const delivery: Delivery = { received_at: new Date().toISOString(), body };
	return { webhookResponse: { message: 'Event accepted' }, workflowData: [[{ json: delivery }]] };
}

// The event with the members that the filters keep; undefined if it is not selected, or they keep none.
function selectedPart(
	functions: IWebhookFunctions,
	event: CommunityEvent,
): CommunityEvent | undefined {
	const selected = functions.getNodeParameter('events') as string[];
	if (!selected.includes(ANY_EVENT) && !selected.includes(event.event)) return undefined;
	const { user } = event.entities;
	// A manual test drops nothing.
	if (!user?.length || functions.getMode() === 'manual') return event;
	const kept = user.filter(memberFilter(functions));
	return kept.length === 0 ? undefined : { ...event, entities: { ...event.entities, user: kept } };
}

async function secretRefusal(functions: IWebhookFunctions): Promise<Refusal | undefined> {
	try {
		if (await isVerified(functions)) return undefined;
		return [401, 'The secret is missing or wrong'];
	} catch (error) {
		// n8n's database may be busy. Throwing would store a failed execution for every such request, and 401 would say
		// that the secret is wrong; after 503, the community may deliver the event again.
		const { message } = error as Error;
		const text = `the credential cannot be read, so a delivery is refused (${message})`;
		functions.logger.warn(logLine(functions, text));
		return [503, 'The secret cannot be checked right now'];
	}
}

function addressRefusal(functions: IWebhookFunctions): Refusal | undefined {
	const { ip, socket } = functions.getRequestObject();
	const { ipAllowlist } = functions.getNodeParameter('options', {}) as Options;
	const entries = partsOf(ipAllowlist);
	// n8n has applied X-Forwarded-For to `ip` for the proxies that it is set to trust (N8N_PROXY_HOPS).
	if (entries.length === 0 || isInRanges(ip ?? socket?.remoteAddress, entries)) return undefined;
	return [403, 'This address is not on the IP allowlist'];
}

function refuse(functions: IWebhookFunctions, [status, message]: Refusal): IWebhookResponseData {
	functions.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}
