import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { CREDENTIAL, logLine } from '../shared/transport';
import { isInRanges, readAllowlist } from './allowlist';
import type { Answer } from './answers';
import { ANSWERS } from './answers';
import { bodyOf, readEvent } from './event';
import type { Options } from './properties';
import { ANY_EVENT } from './properties';
import { secretOf } from './secret';
import { isAmong, sentSecrets } from './verify';

/** What `webhook` hands to `execute`: of the request only the body, because the rest holds the secret. */
export interface Delivery extends IDataObject {
	received_at: string;
	body: IDataObject;
}

/**
 * Verifies a delivery, and answers it (docs/triggers.md, "What the community gets as an answer"). A refusal is written
 * on the response, because throwing would store a failed execution (docs/decisions.md, E14). n8n answers an accepted
 * delivery once its execution is stored, so that a delivery that was answered with 200 cannot get lost.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = this.getRequestObject();
	const verdict = await verify(this);
	if (verdict === 'unknown') return refuse(this, ANSWERS.notCheckable);
	if (verdict === 'wrong') return refuse(this, ANSWERS.wrongSecret);
	// n8n has applied X-Forwarded-For to this for the proxies that it is set to trust (N8N_PROXY_HOPS).
	const address = request.ip ?? request.socket?.remoteAddress;
	if (!isAddressAllowed(this, address)) {
		return refuse(this, ANSWERS.wrongAddress);
	}
	const body = bodyOf(request);
	const read = readEvent(body);
	if ('reason' in read) {
		const { status, message } = ANSWERS.notAnEvent;
		return refuse(this, { status, message: `${message}: ${read.reason}` });
	}
	const selected = this.getNodeParameter('events') as string[];
	if (!selected.includes(ANY_EVENT) && !selected.includes(read.event.event)) {
		return { webhookResponse: messageOf(ANSWERS.notSelected) };
	}
	const delivery: Delivery = {
		received_at: new Date().toISOString(),
		body: read.event,
	};
	return {
		webhookResponse: messageOf(ANSWERS.accepted),
		workflowData: [[{ json: delivery }]],
	};
}

async function verify(functions: IWebhookFunctions): Promise<'right' | 'wrong' | 'unknown'> {
	if (functions.getNodeParameter('verification') === 'none') return 'right';
	// Without a secret, any delivery may be forged.
	if (!functions.getNode().credentials?.[CREDENTIAL]) return 'wrong';
	const sent = sentWith(functions);
	if (sent.length === 0) return 'wrong';
	try {
		return isAmong(sent, await secretOf(functions)) ? 'right' : 'wrong';
	} catch (error) {
		// n8n's database may be busy. Throwing would store a failed execution for every such request, and 401 would say
		// that the secret is wrong; after 503, the community may deliver the event again.
		functions.logger.warn(
			logLine(
				functions,
				`the credential cannot be read, so a delivery is refused (${(error as Error).message})`,
			),
		);
		return 'unknown';
	}
}

function sentWith(functions: IWebhookFunctions): Buffer[] {
	const headers = functions.getHeaderData() as IDataObject;
	return sentSecrets(headers, (functions.getQueryData() ?? {}) as IDataObject);
}

function isAddressAllowed(functions: IWebhookFunctions, address: string | undefined): boolean {
	const { ipAllowlist } = functions.getNodeParameter('options', {}) as Options;
	const { ranges, invalid } = readAllowlist(ipAllowlist);
	const isUnrestricted = ranges.length === 0 && invalid.length === 0;
	return isUnrestricted || isInRanges(address, ranges);
}

function refuse(functions: IWebhookFunctions, answer: Answer) {
	functions.getResponseObject().status(answer.status).json(messageOf(answer));
	return { noWebhookResponse: true };
}

function messageOf({ message }: Answer) {
	return { message };
}
