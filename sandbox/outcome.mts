import type { User } from './records.mts';
import { fullName } from './records.mts';
import type { Delivery } from './webhooks.mts';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** n8n may run below a path. */
const IS_TEST_URL = /\/webhook-test\//;

/** The subject and target of a delivery, e.g. `member.joined of Ida Noor to localhost:5678/webhook/…`. */
export function subjectOf({ address: { name, url }, payload, repeats }: Delivery): string {
	const { host, pathname } = new URL(url);
	// Leaves out the query, because it can hold the secret, and shortens a UUID.
	const place = name ?? `${host}${pathname}`.replace(UUID, (uuid) => `${uuid.slice(0, 8)}…`);
	const [user] = (payload.entities.user ?? []) as User[];
	const whose = user ? ` of ${fullName(user)}` : '';
	const again = repeats === undefined ? '' : `, delivery ${repeats} again,`;
	return `${payload.event}${whose}${again} to ${place}`;
}

/** The result of a delivery, with advice if it failed. */
export function outcomeOf({ endedAt, status, answer, reason = '', address }: Delivery): string {
	if (endedAt === null) return 'under way';
	if (status === null) return `not answered: ${reason.replace(/^\w*Error: /, '')}`;
	const said = messageIn(answer);
	return `answered ${status}${said && `: ${said}`}${adviceOn(status, address)}`;
}

/** A sentence about a delivery that has ended. */
export function sentenceOf(delivery: Delivery): string {
	return `The delivery of ${subjectOf(delivery)} was ${outcomeOf(delivery)}`;
}

function adviceOn(status: number, { url, secret }: Delivery['address']): string {
	if (status === 401) return secret ? '. Check the webhook secret.' : '. It has no secret.';
	if (status !== 404) return '';
	return IS_TEST_URL.test(url)
		? '. This is the test URL, which listens once after Execute step is pressed: enter the production URL.'
		: '. The workflow is not active, or this is not its address.';
}

function messageIn(answer: string | null): string {
	try {
		const { message = '' } = JSON.parse(answer ?? '') as { message?: string };
		return String(message).replace(/\.$/, '').slice(0, 300);
	} catch {
		return '';
	}
}
