import { useSandbox } from '../support/community.mts';
import { serveProxy } from '../support/proxies.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox({ members: 20 });

it('a proxy is sent the whole password, colons included', async () => {
	const proxy = await serveProxy();
	const address = proxy.origin.replace('http://', 'http://user:pa:s%40s@');
	const { error } = await runNode(
		sandbox,
		{ resource: 'user', operation: 'getSelf' },
		{ requestOptions: { proxy: address } },
	);
	const sent = proxy.requests.map(({ headers }) => headers['proxy-authorization']);
	await proxy.close();
	expect(error).toBeUndefined();
	expect(sent).toEqual([`Basic ${Buffer.from('user:pa:s@s').toString('base64')}`]);
});
