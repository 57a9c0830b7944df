import { createHash } from 'crypto';
import { sleep } from 'n8n-workflow';
import { Limiter, KeyedLock } from '../limiter';
import { ListingSizes } from '../paging/listingSizes';
import { PageCache } from '../paging/pageCache';
import { addressKey } from './baseUrl';
import { Registry } from './registry';

/** What requests to one API share within this process; each part has a key of its own. */
export interface ApiState {
	/** By community and source system: an API counts requests by caller. */
	limiter: Limiter;
	/** By community: one lock for each record that is being written, whichever caller writes it. */
	locks: KeyedLock;
	/** By community, source system and API key: what a caller may see depends on the key. */
	listings: Listings;
}

/** By what an API tells its callers apart. */
export interface CallerIdentity {
	/** The community's own address, normalized. */
	baseUrl: string;
	/** The calling system, sent as the user name (docs/api/openapi.yaml, `securitySchemes`). */
	sourceSystem: string;
	apiKey: string;
}

// A monotonic clock: the time of day can be set back.
const clock = { now: () => performance.now(), sleep };

const LISTINGS_KEPT_MS = 10 * 60_000;

/** What is known of an API's listings, from runs and pickers before. */
class Listings {
	readonly sizes = new ListingSizes();
	/** Pages that pickers have read. */
	readonly pages = new PageCache(clock.now);
	private usedAt = clock.now();

	use(): this {
		this.usedAt = clock.now();
		return this;
	}

	get isIdle(): boolean {
		return clock.now() - this.usedAt > LISTINGS_KEPT_MS;
	}
}

const limiters = new Registry(
	() => new Limiter(clock),
	({ isForgotten }) => isForgotten,
);
const locks = new Registry(
	() => new KeyedLock(),
	({ size }) => size === 0,
);
const listings = new Registry(
	() => new Listings(),
	({ isIdle }) => isIdle,
);

/** The state shared by everything in this process that talks to one API: every node, picker and trigger. */
export function apiStateFor({ baseUrl, sourceSystem, apiKey }: CallerIdentity): ApiState {
	const address = addressKey(baseUrl);
	const key = createHash('sha256').update(apiKey).digest('hex');
	const caller = `${address} ${sourceSystem}`;
	return {
		limiter: limiters.get(caller),
		locks: locks.get(address),
		listings: listings.get(`${caller} ${key}`).use(),
	};
}
