import { ApiError } from './errors.mts';
import { formOf } from './forms.mts';
import type { User } from './records.mts';

/** A target of events. Because signing is not documented, the secret can be sent in three ways. */
export interface WebhookAddress {
	/** An address on this machine. */
	url: string;
	/** The name of the receiver on the page, e.g. of a workflow. */
	name?: string;
	secret?: string;
	/** `header`: x-webhook-secret (the default); `bearer`: Authorization; `query`: ?secret= */
	via?: 'header' | 'bearer' | 'query';
}

export interface WebhookEvent {
	event: string;
	job_id: number;
	entities: Record<string, object[]>;
}

/** One event sent to one address. */
export interface Delivery {
	/** Counts from 1. */
	number: number;
	/** The number of the delivery that this one repeats. */
	repeats?: number;
	address: WebhookAddress;
	payload: WebhookEvent;
	/** Milliseconds since 1970. */
	startedAt: number;
	endedAt: number | null;
	/** The status of the answer. Null while the delivery is open, or if there was no answer. */
	status: number | null;
	answer: string | null;
	/** The reason if there was no answer. */
	reason?: string;
}

/** The time limit for an answer, in milliseconds. */
const TIMEOUT_MS = 10_000;
/** Host names of this machine in a URL. */
export const LOCAL_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];

const HTTP = /^https?:\/\//i;
const ANY_SCHEME = /^[a-z]+:\/\//i;

const toEventUser = formOf<User>('WebhookUser');

/** Sends events to webhooks (docs/api/README.md, "Events"), and records the answers. */
export class Webhooks {
	readonly deliveries: Delivery[] = [];
	private configured: WebhookAddress[] = [];
	/** Continues after a reset, so that receivers do not drop new events as duplicates. */
	private lastJobId = 0;
	private lastNumber = 0;
	private open = new Set<Promise<Delivery>>();
	private stop = new AbortController();

	/** @param ended receives each delivery that was answered or has timed out */
	constructor(private readonly ended: (delivery: Delivery) => void = () => {}) {}

	get addresses(): readonly WebhookAddress[] {
		return this.configured;
	}

	/** Replaces the addresses. Throws a 400 if an address is not on this machine or not HTTP. */
	set(addresses: WebhookAddress[]): void {
		for (const { url } of addresses) {
			if (!isLocal(url)) throw new ApiError(400, `${url} is not an address on this machine`);
			if (!HTTP.test(url)) throw new ApiError(400, `begin ${url} with http://`);
		}
		this.configured = [...addresses];
	}

	/** Drops all addresses and deliveries, and aborts open ones. */
	reset(): void {
		this.close();
		this.stop = new AbortController();
		this.configured = [];
		this.deliveries.length = 0;
		this.lastNumber = 0;
	}

	/** Aborts open deliveries. */
	close(): void {
		this.stop.abort();
	}

	/** Sends an event about a member to all addresses. */
	announce(event: string, user: User): Promise<Delivery[]> {
		return this.send(event, { user: [toEventUser(user)] });
	}

	/** Sends an event of any name, with a new job_id. Resolves after every address has answered. */
	send(event: string, entities: Record<string, object[]>): Promise<Delivery[]> {
		const payload = { event, job_id: ++this.lastJobId, entities };
		return Promise.all(this.configured.map((address) => this.deliver(address, payload)));
	}

	/** Sends a delivery again, unchanged, `times` times simultaneously. Throws a 404 for an unknown number. */
	repeat(number: number, times = 1): Promise<Delivery[]> {
		const delivery = this.deliveries.find((each) => each.number === number);
		if (!delivery) throw new ApiError(404, `no delivery has the number ${number}`);
		return Promise.all(
			Array.from({ length: times }, () =>
				this.deliver(delivery.address, delivery.payload, delivery.number),
			),
		);
	}

	/** Resolves after all deliveries have ended. */
	async settled(): Promise<void> {
		while (this.open.size > 0) await Promise.all(this.open);
	}

	private deliver(
		address: WebhookAddress,
		payload: WebhookEvent,
		repeats?: number,
	): Promise<Delivery> {
		const delivery: Delivery = {
			number: ++this.lastNumber,
			...(repeats !== undefined && { repeats }),
			address,
			payload,
			startedAt: Date.now(),
			endedAt: null,
			status: null,
			answer: null,
		};
		this.deliveries.push(delivery);
		const sending = this.post(delivery).finally(() => this.open.delete(sending));
		this.open.add(sending);
		return sending;
	}

	/** Never rejects, because the delivery contains the result. */
	private async post(delivery: Delivery): Promise<Delivery> {
		const { address, payload } = delivery;
		const { secret, via = 'header' } = address;
		const url = new URL(address.url);
		const headers: Record<string, string> = { 'content-type': 'application/json' };
		if (secret !== undefined) {
			if (via === 'query') url.searchParams.set('secret', secret);
			else if (via === 'bearer') headers.authorization = `Bearer ${secret}`;
			else headers['x-webhook-secret'] = secret;
		}
		try {
			const response = await fetch(url, {
				method: 'POST',
				headers,
				body: JSON.stringify(payload),
				signal: AbortSignal.any([this.stop.signal, AbortSignal.timeout(TIMEOUT_MS)]),
			});
			delivery.answer = await response.text();
			delivery.status = response.status;
		} catch (reason) {
			delivery.reason = String((reason as Error).cause ?? reason);
		}
		delivery.endedAt = Date.now();
		this.ended(delivery);
		return delivery;
	}
}

/** Matches any scheme or none, because localhost:5678 alone parses as a URL with the scheme localhost. */
function isLocal(url: string): boolean {
	const withHttp = `http://${url.replace(ANY_SCHEME, '')}`;
	return URL.canParse(withHttp) && LOCAL_HOSTS.includes(new URL(withHttp).hostname);
}
