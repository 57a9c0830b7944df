import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { updateRole } from '../bench/peers.mts';
import type { RemoteSandbox } from '../bench/sandbox.mts';
import { runNode } from '../../test/support/engine.mts';
import type { Limit } from './limits.mts';

// Node's own report of each answer that its HTTP client gets (documentation of diagnostics_channel).
const CHANNEL = 'http.client.response.finish';

/** The result of sending all updates through a limit. */
export interface Measured {
	seconds: number;
	/** The share of refused requests. */
	refused: number;
	/** Items that failed. */
	failed: number;
	/** The number of changed records, and of those changed more than once. */
	applied: number;
	twice: number;
}

/**
 * Updates the role of members, one item each, through n8n's engine and a gateway.
 *
 * @param origin of the gateway, or of the community itself
 */
export async function measure(
	sandbox: RemoteSandbox,
	origin: string,
	{ gateway, updates }: Limit,
): Promise<Measured> {
	await sandbox.prepare(gateway.kind === 'community' ? gateway.setup : {});
	const items = sandbox.members.slice(0, updates);
	// A new caller, because the limiter's knowledge about an API belongs to the caller.
	const caller = { ...sandbox, baseUrl: origin, sourceSystem: randomUUID() };
	const statuses: number[] = [];
	const note = (message: unknown) => {
		const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
		const isOwn = request.getHeader('host') === new URL(origin).host;
		if (isOwn) statuses.push(response.statusCode ?? 0);
	};
	subscribe(CHANNEL, note);
	const start = performance.now();
	const result = await runNode(caller, updateRole(sandbox), {
		items,
		onError: 'continueErrorOutput',
	});
	const seconds = (performance.now() - start) / 1000;
	unsubscribe(CHANNEL, note);
	const refused = statuses.filter((status) => status === 429 || status === 503).length;
	const { applied, twice } = await sandbox.received();
	return {
		seconds,
		refused: refused / statuses.length,
		failed: updates - result.items.length,
		applied,
		twice,
	};
}
