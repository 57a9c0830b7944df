/** What repeating a request does: nothing, nothing more than the first time, or one record more. */
export type MethodClass = 'safe' | 'idempotent' | 'creating';

/**
 * The class of an HTTP method (RFC 9110, section 9.2). HTTP promises nothing of PATCH, but those of this
 * API set a role or positions, whatever was there before (api/openapi.yaml). A method that is not known
 * counts as creating, the class with which most care is taken.
 */
export function methodClass(method: string): MethodClass {
	if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return 'safe';
	return ['PUT', 'PATCH', 'DELETE'].includes(method) ? 'idempotent' : 'creating';
}
