import { useBareSandbox } from '../support/community.mts';
import { call, type CallOptions } from './support.mts';

/**
 * A local community for the tests of one file, and a visitor of its page: without a key, as a
 * browser asks.
 */
export function usePage() {
	const sandbox = useBareSandbox();

	async function ask(method: string, path: string, { headers, ...options }: CallOptions = {}) {
		const without = { authorization: null, 'user-agent': null, ...headers };
		return await call(sandbox, method, path, { ...options, headers: without });
	}
	const browse = (path = '/') => ask('GET', path, { headers: { accept: 'text/html,*/*;q=0.8' } });
	const view = async (query: Record<string, unknown> = {}) =>
		(await ask('GET', '/_sandbox/view', { query })).data;
	return { sandbox, ask, browse, view };
}
