import type { FastifyRequest } from 'fastify';
import { ApiError } from './errors.mts';
import { LOCAL_HOSTS } from './webhooks.mts';

/**
 * Refuses requests from pages of other sites in the same browser, and from host names that resolve to this machine (DNS
 * rebinding). Clients other than browsers send no Sec-Fetch-Site and no Origin, so they pass.
 *
 * @throws ApiError 403; Fetch Metadata Request Headers, "Sec-Fetch-Site", and RFC 6454, section 7
 */
export function refuseOtherPages({ method, headers, host, hostname }: FastifyRequest): void {
	if (!LOCAL_HOSTS.includes(hostname)) {
		throw new ApiError(403, `${hostname} is not a name of this machine`);
	}
	if (method === 'GET') return;
	const { origin = `http://${host}`, 'sec-fetch-site': site = 'same-origin' } = headers;
	if (site !== 'same-origin' || origin !== `http://${host}`) {
		throw new ApiError(403, 'another site has nothing to change here');
	}
}
