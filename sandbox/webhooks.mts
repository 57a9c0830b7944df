import { ApiError } from './errors.mts';
import { formOf } from './forms.mts';
import type { User } from './records.mts';

/** Where events are sent. Signing is not documented: a secret can travel in three ways. */
export interface WebhookAddress {
	/** On this machine only. */
	url: string;
	/** What receives the events, for the page, e.g. the name of a workflow. */
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
	/** The number of the delivery this one repeats. */
	repeats?: number;
	address: WebhookAddress;
	payload: WebhookEvent;
	/** Milliseconds since 1970. */
	startedAt: number;
	endedAt: number | null;
	/** The status answered; null while open, and when there was no answer. */
	status: number | null;
	answer: string | null;
	/** Why there was no answer. */
	reason?: string;
}

/** An address that does not answer is given up on after this many milliseconds. */
const TIMEOUT_MS = 10_000;
/** The names by which a machine calls itself, as in a URL. */
export const LOCAL_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];

const HTTP = /^https?:\/\//i;
const ANY_SCHEME = /^[a-z]+:\/\//i;

const toEventUser = formOf<User>('WebhookUser');

/** Sends events to webhooks (docs/api/README.md, "Events"), and records the answers. */
export class Webhooks {
	readonly deliveries: Delivery[] = [];
	private configured: WebhookAddress[] = [];
	/** Continues after a reset, so that receivers that deduplicate do not drop new events as repeated ones. */
	private lastJobId = 0;
	private lastNumber = 0;
	private open = new Set<Promise<Delivery>>();
	private stop = new AbortController();

	/** @param ended is told of each delivery that has been answered or given up on */
	constructor(private readonly ended: (delivery: Delivery) => void = () => {}) {}

	get addresses(): readonly WebhookAddress[] {
		return this.configured;
	}

	/** Replaces the addresses. Throws a 400 when one is not on this machine, or not HTTP. */
	set(addresses: WebhookAddress[]): void {
		for (const { url } of addresses) {
			if (!isLocal(url)) throw new ApiError(400, `${url} is not an address on this machine`);
			if (!HTTP.test(url)) throw new ApiError(400, `begin ${url} with http://`);
		}
		this.configured = [...addresses];
	}

	/** Forgets addresses and deliveries, and gives up on those under way. */
	reset(): void {
		this.close();
		this.stop = new AbortController();
		this.configured = [];
		this.deliveries.length = 0;
		this.lastNumber = 0;
	}

	/** Gives up on the deliveries under way. */
	close(): void {
		this.stop.abort();
	}

	/** Tells all addresses about a user. */
	announce(event: string, user: User): Promise<Delivery[]> {
		return this.send(event, { user: [toEventUser(user)] });
	}

	/** Sends an event of any name, with a new job_id. Resolves when every address has answered. */
	send(event: string, entities: Record<string, object[]>): Promise<Delivery[]> {
		const payload = { event, job_id: ++this.lastJobId, entities };
		return Promise.all(this.configured.map((address) => this.deliver(address, payload)));
	}

	/** Sends a delivery again, unchanged, `times` times at once. Throws a 404 for an unknown number. */
	repeat(number: number, times = 1): Promise<Delivery[]> {
		const delivery = this.deliveries.find((each) => each.number === number);
		if (!delivery) throw new ApiError(404, `no delivery has the number ${number}`);
		return Promise.all(
			Array.from({ length: times }, () =>
				this.deliver(delivery.address, delivery.payload, delivery.number),
			),
		);
	}

	/** Resolves when nothing is under way any more. */
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

	/** Never rejects: how it went is in the delivery. */
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

/** Whatever the scheme is, or if there is none: localhost:5678 alone would be a URL of the scheme localhost. */
function isLocal(url: string): boolean {
	const withHttp = `http://${url.replace(ANY_SCHEME, '')}`;
	return URL.canParse(withHttp) && LOCAL_HOSTS.includes(new URL(withHttp).hostname);
}
