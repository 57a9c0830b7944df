import { runNode, type RunOptions } from '../support/engine.mts';
import type { TestServer } from '../support/servers.mts';
import {
	closedOrigin,
	serve,
	serveHangingUp,
	serveSelfSigned,
	serveTrickling,
} from '../support/servers.mts';
import { serveProxy, useProxyVariables } from '../support/proxies.mts';
import { useSandbox, withoutBackoff } from '../support/community.mts';
import { createTag, getUser } from '../support/operations.mts';

const sandbox = useSandbox({ members: 60 });
withoutBackoff();
const getMember = getUser('101');

let server: TestServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

async function expectTold(error: string, message: RegExp, options: RunOptions = {}) {
	const once = { ...getMember, options: { maxRetries: 0 } };
	const stopped = await runNode(sandbox, once, options);
	expect(stopped.error?.message).toBe(error);
	expect(stopped.error?.description).toMatch(message);
	const onError = 'continueRegularOutput';
	const { items } = await runNode(sandbox, once, { ...options, onError });
	expect(items.map(({ json }) => json)).toMatchObject([
		{ error, message: stopped.error?.description },
	]);
}

const at = (baseUrl: string): RunOptions => ({ credential: { baseUrl } });

it.each([
	[closedOrigin, 'n8n cannot connect to the community', /'Base URL'.* the port/],
	[() => 'http://community.invalid', "The address in 'Base URL' does not exist", /for typos/],
	[() => '', "'Base URL' is empty", /^Open the credential/],
	[() => 'ftp://x.example', "'Base URL' is not a web address", /^Open the credential/],
	[
		() => sandbox.baseUrl.replace('http:', 'https:'),
		'A secure connection to the community could not be opened',
		/http:\/\/ or https:\/\//,
	],
])('an address that does not lead to the API', async (address, error, advice) => {
	await expectTold(error, advice, at(await address()));
});

describe('a self-signed certificate', () => {
	beforeEach(async () => {
		server = await serveSelfSigned((_, response) => {
			response.setHeader('content-type', 'application/json');
			response.end('{"user_id":101,"username":"ada"}');
		});
	});

	it('is refused before anything is sent', async () => {
		const error = "The community's security certificate is not valid";
		await expectTold(error, /NODE_EXTRA_CA_CERTS.*'Ignore SSL Issues/, at(server?.origin ?? ''));
		expect(server?.requests).toEqual([]);
	});

	it('is accepted with Ignore SSL Issues', async () => {
		const requestOptions = { allowUnauthorizedCerts: true };
		const options = { ...at(server?.origin ?? ''), requestOptions };
		const { items, error } = await runNode(sandbox, getMember, options);
		expect(error).toBeUndefined();
		expect(items[0].json.username).toBe('ada');
	});
});

describe('a proxy', () => {
	const variables = useProxyVariables();

	it.each(["'Proxy'", 'HTTPS_PROXY'])('that ends the connection, set in %s', async (where) => {
		const proxy = await serveHangingUp();
		if (where === 'HTTPS_PROXY') variables.HTTPS_PROXY = proxy.origin;
		const requestOptions = where === 'HTTPS_PROXY' ? undefined : { proxy: proxy.origin };
		const options = { ...at('https://community.invalid'), requestOptions };
		const error = 'The proxy closed the connection without passing the request on';
		await expectTold(error, /check 'Proxy' under 'Request Options'/, options);
		await proxy.close();
	});

	it("in 'Proxy' is used instead of HTTP_PROXY, with its whole password", async () => {
		const proxy = await serveProxy();
		variables.HTTP_PROXY = await closedOrigin();
		const requestOptions = { proxy: proxy.origin.replace('http://', 'http://user:pa:s%40s@') };
		expect((await runNode(sandbox, getMember, { requestOptions })).error).toBeUndefined();
		const sent = proxy.requests.map(({ headers }) => headers['proxy-authorization']);
		expect(sent).toEqual([`Basic ${Buffer.from('user:pa:s@s').toString('base64')}`]);
		await proxy.close();
	});

	it('that repeats its password does not reveal it', async () => {
		const proxy = await serve(({ headers }, response) => {
			response.writeHead(400, { 'content-type': 'application/json' });
			response.end(
				JSON.stringify({ message: `No ${headers['proxy-authorization']}, joe:pr0xy-pass` }),
			);
		});
		const requestOptions = { proxy: proxy.origin.replace('http://', 'http://joe:pr0xy-pass@') };
		const { error } = await runNode(sandbox, getMember, { requestOptions });
		expect(error?.message).toMatch(/^No Basic \[hidden\]=*, \[hidden\]$/);
		await proxy.close();
	});

	it('at an IPv6 address is used', async () => {
		const proxy = await serveProxy('::1');
		const requestOptions = { proxy: proxy.origin };
		expect((await runNode(sandbox, getMember, { requestOptions })).error).toBeUndefined();
		expect(proxy.requests).toHaveLength(1);
		await proxy.close();
	});

	it('whose expression has no value is refused, so that the key is not sent directly', async () => {
		const requestOptions = { proxy: '={{ $json.nope }}' };
		const { error } = await runNode(sandbox, getMember, { requestOptions });
		expect(error?.message).toBe("'Proxy' is not the address of a proxy");
		expect(sandbox.requests.total).toBe(0);
	});

	it('in HTTP_PROXY is used, unless NO_PROXY contains the community', async () => {
		const proxy = await serveProxy();
		variables.HTTP_PROXY = proxy.origin;
		for (const noProxy of [undefined, '127.0.0.1']) {
			if (noProxy) variables.NO_PROXY = noProxy;
			expect((await runNode(sandbox, getMember)).error).toBeUndefined();
			expect(proxy.requests).toHaveLength(1);
		}
		await proxy.close();
	});
});

it('a redirect is not followed', async () => {
	const other = await serve((_, response) => response.end('{}'));
	server = await serve((_, response) => {
		const location = `${other.origin}/api/v1/users/101?token=secret`;
		response.writeHead(307, { location }).end();
	});
	const error = "The address in 'Base URL' forwards to another one";
	await expectTold(
		error,
		new RegExp(`^If you trust ${other.origin}, enter it as 'Base URL'(?!.*secret)`),
		at(server.origin),
	);
	expect(other.requests).toEqual([]);
	await other.close();
});

describe('a time-out', () => {
	const SLOW = 'The community did not answer in time';
	const requestOptions = { timeout: 150 };

	it('ends a request without an answer, and a read is retried', async () => {
		sandbox.faults.add({ kind: 'hang' });
		await expectTold(
			SLOW,
			/^If you set 'Timeout' under 'Request Options' in the node, raise it\. Otherwise, try again in a few minutes\.$/,
			{ requestOptions },
		);
		sandbox.faults.clear();
		sandbox.faults.add({ kind: 'hang', times: 1 });
		const options = { requestOptions: { timeout: 1000 } };
		expect((await runNode(sandbox, getMember, options)).error).toBeUndefined();
	});

	it('ends a request whose body arrives too slowly', async () => {
		server = await serveTrickling();
		await expectTold(SLOW, /^If you set 'Timeout'/, { ...at(server.origin), requestOptions });
		// A create may have been carried out.
		const { error } = await runNode(sandbox, createTag('x'), {
			...at(server.origin),
			requestOptions,
		});
		expect(error?.message).toBe(SLOW);
		expect(error?.description).toMatch(/^The record may already exist/);
		expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});
});

it('a connection that was closed', async () => {
	sandbox.faults.add({ kind: 'cut' });
	const error = 'The connection broke before an answer arrived';
	await expectTold(error, /^Try again in a few minutes\..*'Base URL'/);
});
