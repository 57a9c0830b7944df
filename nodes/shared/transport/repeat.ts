/**
 * What a request does when it is sent again: nothing (safe), no more than the first time (idempotent), or it may create
 * another record (creating).
 */
export type Repeat = 'safe' | 'idempotent' | 'creating';

/**
 * What HTTP promises of a method (RFC 9110, section 9.2), for requests of which no more is known. PATCH counts as
 * idempotent (docs/decisions.md, A12), an unknown method as creating, which is retried least.
 */
export function repeatOf(method: string): Repeat {
	if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return 'safe';
	return ['PUT', 'PATCH', 'DELETE'].includes(method) ? 'idempotent' : 'creating';
}
