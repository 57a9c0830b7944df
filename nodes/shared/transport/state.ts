import { sleep } from 'n8n-workflow';
import { Limiter } from '../limiter';
import { addressKey } from './baseUrl';
import { Registry } from './registry';

/** What requests to one API share within this process. */
export interface ApiState {
	/** By community and source system: an API counts requests by caller. */
	limiter: Limiter;
}

/** By what an API tells its callers apart. */
export interface CallerIdentity {
	/** The community's own address, normalized. */
	baseUrl: string;
	/** The calling system, sent as the user name (docs/api/openapi.yaml, `securitySchemes`). */
	sourceSystem: string;
}

// A monotonic clock: the time of day can be set back.
const clock = { now: () => performance.now(), sleep };

const limiters = new Registry(
	() => new Limiter(clock),
	({ isForgotten }) => isForgotten,
);

/** The state shared by everything in this process that talks to one API: every node, picker and trigger. */
export function apiStateFor({ baseUrl, sourceSystem }: CallerIdentity): ApiState {
	return { limiter: limiters.get(`${addressKey(baseUrl)} ${sourceSystem}`) };
}
