import type { Delivery } from './webhooks.mts';

/** The outcome of a delivery, in words. */
export interface Outcome {
	/** Whether it starts a workflow as far as the answer says. */
	isAccepted: boolean;
	/** Goes on a sentence about the delivery, e.g. `was answered 200.` */
	outcome: string;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** What the trigger answers when its Events do not name the event: `nodes/CommunityPlatformTrigger/receive.ts`. */
const NOT_SELECTED = 'Event not selected';
/** n8n can lie below a path of its own. */
const IS_TEST_URL = /\/webhook-test\//;

/**
 * Names an address in a sentence: without scheme, query and log-in, and of a UUID only the beginning. All
 * of the trigger's paths end alike, so that the last part alone would tell none from another.
 *
 * @param url a valid URL
 */
export function shortAddress(url: string): string {
	const { host, pathname } = new URL(url);
	return `${host}${pathname}`.replace(UUID, (uuid) => `${uuid.slice(0, 8)}…`);
}

/** Says how a delivery went that has ended, and what to do if that is not as it should be. */
export function outcomeOf({ address, status, answer, reason }: Delivery): Outcome {
	if (status === null) {
		return { isAccepted: false, outcome: `was not answered: ${reasonOf(reason)}.` };
	}
	if (status >= 200 && status < 300) {
		const isSelected = messageOf(answer) !== NOT_SELECTED;
		const remark = isSelected ? '' : ": not selected in the trigger's Events";
		return { isAccepted: isSelected, outcome: `was answered ${status}${remark}.` };
	}
	const advice = adviceOn(status, address.url, address.secret);
	return { isAccepted: false, outcome: `was answered ${status}.${advice}` };
}

/** Why there was no answer, without the name of a class. */
export function reasonOf(reason = ''): string {
	return reason.replace(/^\w*Error: /, '');
}

function adviceOn(status: number, url: string, secret: string | undefined): string {
	if (status === 401) {
		return secret === undefined ? ' It has no webhook secret.' : ' Check the webhook secret.';
	}
	if (status !== 404) return '';
	return IS_TEST_URL.test(new URL(url).pathname)
		? ' This is the test URL, which listens once after Execute step is pressed: enter the production URL.'
		: ' The workflow is not active, or this is not its address.';
}

function messageOf(answer: string | null): unknown {
	try {
		return (JSON.parse(answer ?? '') as { message?: unknown } | null)?.message;
	} catch {
		return undefined;
	}
}
