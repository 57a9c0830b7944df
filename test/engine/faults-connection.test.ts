import type { RunOptions } from './engine.mts';
import { runNode } from './engine.mts';
import type { TestServer } from '../support/servers.mts';
import { closedOrigin, serve, serveHangingUp, serveSelfSigned } from '../support/servers.mts';
import { serveProxy, useProxyVariables } from '../support/proxies.mts';
import { asked, useSandbox, withoutBackoff } from '../support/community.mts';
import { createTag, getUser, toldAtStop } from '../support/operations.mts';

const sandbox = useSandbox({ members: 60 });
withoutBackoff();
const getMember = getUser('101');

let server: TestServer | undefined;
let other: TestServer | undefined;
afterEach(async () => {
	await server?.close();
	await other?.close();
	server = other = undefined;
});

async function expectTold(
	told: { error: string; message: string; details?: object },
	options: RunOptions = {},
	parameters = getMember,
) {
	const once = { ...parameters, options: { maxRetries: 0 } };
	const onError = 'continueRegularOutput';
	const { items } = await runNode(sandbox, once, { ...options, onError });
	expect(items.map(({ json }) => json)).toEqual([{ details: {}, ...told }]);
	const { error } = await runNode(sandbox, once, options);
	expect(error?.message).toBe(told.error);
	expect(error?.description).toBe(toldAtStop(parameters, told.message));
	// Nothing that the request carried may show up in what is stored and shown.
	const key = Buffer.from(`${sandbox.sourceSystem}:${sandbox.apiKey}`).toString('base64');
	const shown = JSON.stringify([items, error]);
	expect(shown).not.toContain(key);
	expect(shown).not.toContain(sandbox.apiKey);
}

const at = (baseUrl: string): RunOptions => ({ credential: { baseUrl } });

it('an address at which nothing listens', async () => {
	await expectTold(
		{
			error: 'Nothing accepts connections at the base URL',
			message:
				'Check "Base URL" in the credential, including the port, and that the community is running and reachable from this n8n.',
		},
		at(await closedOrigin()),
	);
});

it('a name that does not exist', async () => {
	await expectTold(
		{
			error: 'There is no server at the base URL',
			message:
				'Check "Base URL" in the credential for typos, and check that this n8n can look up the name.',
		},
		at('http://community.invalid'),
	);
});

it.each([
	['', 'The base URL is empty'],
	['ftp://community.example.com', 'The base URL is not a web address'],
	['https://user:pass@community.example.com', 'The base URL is not a web address'],
])('the base URL %j', async (baseUrl, error) => {
	const message =
		'Open the credential and enter the address of your community in "Base URL", e.g. https://community.example.com.';
	await expectTold({ error, message }, at(baseUrl));
});

describe('a self-signed certificate', () => {
	beforeEach(async () => {
		server = await serveSelfSigned((_, response) => {
			response.setHeader('content-type', 'application/json');
			response.end('{"user_id":101,"username":"ada"}');
		});
	});

	it('is refused before anything is sent', async () => {
		await expectTold(
			{
				error: "The certificate of the community's address is not valid",
				message:
					'Ask the operators of the community to fix the certificate. If an authority of your own has issued it, ask who runs this n8n to name that in NODE_EXTRA_CA_CERTS. Only if you trust the address all the same, turn on "Ignore SSL Issues (Insecure)" in the credential.',
			},
			at(server?.origin ?? ''),
		);
		expect(server?.requests).toEqual([]);
	});

	it('is accepted with "Ignore SSL Issues"', async () => {
		const { items, error } = await runNode(sandbox, getMember, {
			...at(server?.origin ?? ''),
			requestOptions: { allowUnauthorizedCerts: true },
		});
		expect(error).toBeUndefined();
		expect(items[0].json.username).toBe('ada');
	});
});

describe('a proxy', () => {
	const variables = useProxyVariables();

	it.each(['"Proxy"', 'HTTPS_PROXY'])('that ends the connection, named in %s', async (where) => {
		const proxy = await serveHangingUp();
		if (where === 'HTTPS_PROXY') variables.HTTPS_PROXY = proxy.origin;
		const requestOptions = where === 'HTTPS_PROXY' ? undefined : { proxy: proxy.origin };
		const told = {
			error: 'The proxy ended the connection instead of passing it on',
			message:
				'Try again later. If this keeps happening, check "Proxy" in the request options of the node, or ask who runs this n8n to check HTTPS_PROXY and NO_PROXY.',
		};
		const options = { ...at('https://community.invalid'), requestOptions };
		await expectTold(told, options);
		await proxy.close();
	});

	it('that "Proxy" names is asked instead of that of HTTP_PROXY', async () => {
		const proxy = await serveProxy();
		variables.HTTP_PROXY = await closedOrigin();
		const requestOptions = { proxy: proxy.origin };
		expect((await runNode(sandbox, getMember, { requestOptions })).error).toBeUndefined();
		expect(proxy.requests).toHaveLength(1);
		await proxy.close();
	});

	it('that HTTP_PROXY names is asked, unless NO_PROXY names the community', async () => {
		const proxy = await serveProxy();
		variables.HTTP_PROXY = proxy.origin;
		expect((await runNode(sandbox, getMember)).error).toBeUndefined();
		expect(proxy.requests).toHaveLength(1);
		variables.NO_PROXY = '127.0.0.1';
		expect((await runNode(sandbox, getMember)).error).toBeUndefined();
		expect(proxy.requests).toHaveLength(1);
		await proxy.close();
	});
});

it('HTTPS where HTTP is spoken', async () => {
	await expectTold(
		{
			error: "The community's address does not speak HTTPS as expected",
			message:
				'Check in the credential whether "Base URL" should begin with http:// or https://, and the port.',
		},
		at(sandbox.baseUrl.replace('http:', 'https:')),
	);
});

describe('a redirect', () => {
	it.each([301, 302, 307, 308])('%d is not followed, and the key stays here', async (status) => {
		other = await serve((_, response) => response.end('{}'));
		const { origin, requests } = other;
		server = await serve((_, response) => {
			response.writeHead(status, { location: `${origin}/api/v1/users/101?token=secret` });
			response.end();
		});
		await expectTold(
			{
				error: 'The base URL redirects to another address',
				message: `Use ${origin} as "Base URL" in the credential if you trust that address; the key is never sent along to another one.`,
				details: { httpCode: status },
			},
			at(server.origin),
		);
		expect(server.requests).toHaveLength(2);
		expect(requests).toEqual([]);
	});

	it('to nowhere in particular', async () => {
		server = await serve((_, response) => {
			response.writeHead(302);
			response.end();
		});
		await expectTold(
			{
				error: 'The base URL redirects to another address',
				message:
					'Open the base URL in a browser and enter the address you end up at as "Base URL" in the credential.',
				details: { httpCode: 302 },
			},
			at(server.origin),
		);
	});
});

describe('a retry without an answer', () => {
	const SLOW = {
		error: 'The API did not answer in time',
		message: 'Try again later, or raise "Timeout" in the node\'s request options.',
	};
	const BROKEN = {
		error: 'The connection to the API broke before an answer came',
		message:
			'Try again later. If this keeps happening, check "Base URL" in the credential and the network of this n8n.',
	};
	const MAY_EXIST =
		'The record may have been created all the same, so this was not repeated: look in the community before you run it again.';

	it('within the time-out', async () => {
		sandbox.faults.add({ kind: 'hang' });
		await expectTold(SLOW, { requestOptions: { timeout: 80 } });
	});

	it('because the connection was cut', async () => {
		sandbox.faults.add({ kind: 'cut' });
		await expectTold(BROKEN);
	});

	it('to a create within the time-out', async () => {
		sandbox.faults.add({ kind: 'hang', method: 'POST' });
		const told = { error: SLOW.error, message: MAY_EXIST };
		await expectTold(told, { requestOptions: { timeout: 80 } }, createTag('Timeless'));
	});

	it('to a create because the connection was cut', async () => {
		sandbox.faults.add({ kind: 'cut', method: 'POST' });
		await expectTold({ error: BROKEN.error, message: MAY_EXIST }, {}, createTag('Cut'));
	});

	it('at first, and then in time', async () => {
		sandbox.faults.add({ kind: 'hang', times: 1 });
		const requestOptions = { timeout: 1000 };
		const { items, error } = await runNode(sandbox, getMember, { requestOptions });
		expect(error).toBeUndefined();
		expect(items[0].json.user_id).toBe(101);
		expect(asked(sandbox)).toHaveLength(2);
	});
});
