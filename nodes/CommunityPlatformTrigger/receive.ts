import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { logLine } from '../shared/transport';
import { isInRanges, readAllowlist } from './allowlist';
import type { CommunityEvent } from './event';
import { bodyOf, readEvent } from './event';
import type { Options } from './properties';
import { ANY_EVENT } from './properties';
import { isVerified } from './verify';

/** An answer to a delivery, in JSON; the message of a 400 also says why. */
export interface Answer {
	status: number;
	message: string;
}

/** Every answer of the webhook trigger (docs/triggers.md, "What the community gets as an answer"). */
const ANSWERS = {
	accepted: { status: 200, message: 'Event accepted' },
	notSelected: { status: 200, message: 'Event not selected' },
	notAnEvent: { status: 400, message: 'Not an event' },
	wrongSecret: { status: 401, message: 'The secret is missing or wrong' },
	wrongAddress: { status: 403, message: 'This address is not on the IP allowlist' },
	notCheckable: { status: 503, message: 'The secret cannot be checked right now' },
} satisfies Record<string, Answer>;

/** What `webhook` hands to `execute`: of the request only the body, because the rest holds the secret. */
export interface Delivery extends IDataObject {
	received_at: string;
	body: CommunityEvent;
}

/**
 * Verifies a delivery, and answers it. A refusal is written on the response, because throwing would store a failed
 * execution (docs/decisions.md, E14). n8n answers an accepted delivery once its execution is stored, so that a delivery
 * that was answered with 200 cannot get lost.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = this.getRequestObject();
	const refusal = (await secretRefusal(this)) ?? addressRefusal(this);
	if (refusal) return refuse(this, refusal);
	const read = readEvent(bodyOf(request));
	if ('reason' in read) {
		const { status, message } = ANSWERS.notAnEvent;
		return refuse(this, { status, message: `${message}: ${read.reason}` });
	}
	const selected = this.getNodeParameter('events') as string[];
	if (!selected.includes(ANY_EVENT) && !selected.includes(read.event.event)) {
		return { webhookResponse: messageOf(ANSWERS.notSelected) };
	}
	const delivery: Delivery = { received_at: new Date().toISOString(), body: read.event };
	return {
		webhookResponse: messageOf(ANSWERS.accepted),
		workflowData: [[{ json: delivery }]],
	};
}

async function secretRefusal(functions: IWebhookFunctions): Promise<Answer | undefined> {
	try {
		return (await isVerified(functions)) ? undefined : ANSWERS.wrongSecret;
	} catch (error) {
		// n8n's database may be busy. Throwing would store a failed execution for every such request, and 401 would say
		// that the secret is wrong; after 503, the community may deliver the event again.
		const { message } = error as Error;
		const text = `the credential cannot be read, so a delivery is refused (${message})`;
		functions.logger.warn(logLine(functions, text));
		return ANSWERS.notCheckable;
	}
}

function addressRefusal(functions: IWebhookFunctions): Answer | undefined {
	const { ip, socket } = functions.getRequestObject();
	const { ipAllowlist } = functions.getNodeParameter('options', {}) as Options;
	const { ranges, invalid } = readAllowlist(ipAllowlist);
	if (ranges.length === 0 && invalid.length === 0) return undefined;
	// n8n has applied X-Forwarded-For to `ip` for the proxies that it is set to trust (N8N_PROXY_HOPS).
	return isInRanges(ip ?? socket?.remoteAddress, ranges) ? undefined : ANSWERS.wrongAddress;
}

function refuse(functions: IWebhookFunctions, answer: Answer) {
	functions.getResponseObject().status(answer.status).json(messageOf(answer));
	return { noWebhookResponse: true };
}

function messageOf({ message }: Answer) {
	return { message };
}
