import { sleep } from 'n8n-workflow';
import { addressKey } from './baseUrl';
import { Limiter, Turns } from '../pacing';
import { ListingSizes } from '../paging/listingSizes';
import { PageCache } from '../paging/pageCache';

/** What all requests to one API share within this process. */
export interface ApiState {
	limiter: Limiter;
	/** One queue for each record that is being written. */
	turns: Turns;
	listingSizes: ListingSizes;
	/** What pickers have listed. */
	pages: PageCache;
}

// Not the time of day: that can be set back.
const clock = { now: () => performance.now(), sleep };

const states = new Map<string, ApiState>();

/**
 * The state shared by everything that talks to one API as one caller: every node, picker and
 * trigger of this process. What nobody has used for minutes is forgotten when the next API comes into use.
 *
 * @param baseUrl the community's own address
 * @param sourceSystem the calling system (specification, "Authentication" 2)
 */
export function apiStateFor(baseUrl: string, sourceSystem: string): ApiState {
	const key = `${addressKey(baseUrl)} ${sourceSystem}`;
	const known = states.get(key);
	if (known) return known;
	for (const [other, { limiter, turns }] of states) {
		if (limiter.isForgotten && turns.size === 0) states.delete(other);
	}
	const state = {
		limiter: new Limiter(clock),
		turns: new Turns(),
		listingSizes: new ListingSizes(),
		pages: new PageCache(clock.now),
	};
	states.set(key, state);
	return state;
}
