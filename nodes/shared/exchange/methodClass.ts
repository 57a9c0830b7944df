/** What a retry of a request does: nothing, no more than the first time, or create another record. */
export type MethodClass = 'safe' | 'idempotent' | 'creating';

/**
 * The class of an HTTP method (RFC 9110, section 9.2). PATCH counts as idempotent (docs/decisions.md, A12), an unknown
 * method as creating, which is retried least.
 */
export function methodClass(method: string): MethodClass {
	if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return 'safe';
	return ['PUT', 'PATCH', 'DELETE'].includes(method) ? 'idempotent' : 'creating';
}
