import { createHash } from 'crypto';
import { ListingSizes } from '../paging/listingSizes';
import { PageCache } from '../paging/pageCache';
import type { Api } from './api';
import { toLogin } from './api';
import { addressKey } from './baseUrl';

/** What is known of an API's listings, from runs and pickers before. */
interface Listings {
	sizes: ListingSizes;
	/** Pages that pickers have read. */
	pages: PageCache;
}

const known = new Map<string, Listings>();

/** The listings of an API by community, source system and API key: what a caller may see depends on the key. */
export function listingsOf({ baseUrl, credential }: Api): Listings {
	const { username, password } = toLogin(credential);
	const digest = createHash('sha256').update(password).digest('hex');
	const key = `${addressKey(baseUrl)} ${username} ${digest}`;
	const listings = known.get(key) ?? {
		sizes: new ListingSizes(),
		pages: new PageCache(() => performance.now()),
	};
	known.set(key, listings);
	return listings;
}
