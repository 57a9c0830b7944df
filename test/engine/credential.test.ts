import { version } from '../../package.json';
import { useSandbox } from '../support/community.mts';
import { explainedCodes } from '../support/connection-codes.mts';
import { closedOrigin, serve, serveSelfSigned, type TestServer } from '../support/servers.mts';
import { requestWithCredential, testCredential } from '../support/editor.mts';
import { credentialFor, runNode } from '../support/engine.mts';
import { ofRule } from '../support/generations.mts';
import { action } from '../support/operations.mts';

const sandbox = useSandbox({ members: 60 });
const OK = { status: 'OK', message: 'Connection successful!' };
const NOT_THE_API = {
	status: 'Error',
	message: ofRule(expect.stringContaining("it is not the API of a community. In 'Base URL'")),
};

async function test(changes: Parameters<typeof credentialFor>[1]) {
	return await testCredential(credentialFor(sandbox, changes));
}

it('reads the owner of the key to test the credential', async () => {
	expect(await test({})).toEqual(OK);
	const [{ method, url, headers, body }] = sandbox.requests.all;
	expect([method, url, body]).toEqual(['GET', '/api/v1/users/me', undefined]);
	expect(headers).toMatchObject({
		authorization: `Basic ${Buffer.from('sandbox:sandbox-key').toString('base64')}`,
		'content-type': 'application/json',
		'user-agent': `n8n-nodes-community-platform/${version} (sandbox)`,
	});
	expect(sandbox.requests.all).toHaveLength(1);
});

it.each([
	['another source system', { sourceSystem: 'My n8n' }, '(My n8n)'],
	['one that is not a valid header', { sourceSystem: 'Büro\r\nOne ☃' }, '(BroOne )'],
])('sends %s as the user name and in the User-Agent', async (_, changes, comment) => {
	expect(await test(changes)).toEqual(OK);
	const [{ headers }] = sandbox.requests.all;
	const [, sent] = String(headers.authorization).split(' ');
	expect(Buffer.from(sent, 'base64').toString()).toBe(`${changes.sourceSystem}:sandbox-key`);
	expect(headers['user-agent']).toBe(`n8n-nodes-community-platform/${version} ${comment}`);
});

it('sends a key with colons and letters of any kind', async () => {
	const apiKey = 'a:b:ü:☃ {{ 1 + 1 }}';
	sandbox.settings.apiKey = apiKey;
	expect(await test({ apiKey })).toEqual(OK);
	const { items } = await runNode(sandbox, action('user.getSelf'), { credential: { apiKey } });
	expect(items).toHaveLength(1);
});

it('accepts any spelling of the base URL', async () => {
	const baseUrl = `\u200b ${sandbox.baseUrl.replace('http', 'HTTP')}/API/V1/?tab=profile#key\n`;
	expect(await test({ baseUrl })).toEqual(OK);
	const { error } = await runNode(sandbox, action('user.getSelf'), { credential: { baseUrl } });
	expect(error).toBeUndefined();
	const urls = sandbox.requests.all.map(({ url }) => url);
	expect(urls).toEqual(['/api/v1/users/me', '/api/v1/users/me']);
});

it('accepts a key and a source system that were pasted with invisible characters around them', async () => {
	const pasted = { apiKey: '\u200b sandbox-key\n\ufeff', sourceSystem: '\t\u00adsandbox\u200e ' };
	expect(await test(pasted)).toEqual(OK);
	const parameters = { resource: 'user', operation: 'getSelf' };
	const { items } = await runNode(sandbox, parameters, { credential: pasted });
	expect(items).toHaveLength(1);
	const sent = sandbox.requests.all.map(({ headers }) => [
		Buffer.from(String(headers.authorization).slice('Basic '.length), 'base64').toString(),
		headers['user-agent'],
	]);
	const clean = ['sandbox:sandbox-key', `n8n-nodes-community-platform/${version} (sandbox)`];
	expect(sent).toEqual([clean, clean]);
});

it('does not cut off a source system at its colon', async () => {
	expect(await test({ sourceSystem: 'n8n: staging' })).toEqual(OK);
	const [{ headers }] = sandbox.requests.all;
	const [, sent] = String(headers.authorization).split(' ');
	expect(Buffer.from(sent, 'base64').toString()).toBe('n8n- staging:sandbox-key');
});

describe('Wrong key', () => {
	const wrong = {
		status: 'Error',
		message: ofRule(
			"The community did not accept this key. Check 'API Key' and 'Source System', and that 'Base URL' is the address of your community.",
		),
	};

	it.each([{ apiKey: 'wrong' }, { apiKey: '' }, { sourceSystem: '' }])(
		'recognizes a wrong key: %j',
		async (changes) => {
			expect(await test(changes)).toEqual(wrong);
		},
	);

	it('recognizes a wrong key that a gateway refused with 401', async () => {
		sandbox.faults.add({ kind: 'status', status: 401 });
		expect(await test({})).toEqual(wrong);
	});
});

describe('Wrong base URL', () => {
	it.each(['my community', 'ftp://community.example.com'])(
		'recognizes a wrong address: %j',
		async (baseUrl) => {
			const message = expect.stringContaining("'Base URL' is not a web address");
			expect(await test({ baseUrl })).toEqual({ status: 'Error', message });
		},
	);

	it('recognizes an address at which the API is not found', async () => {
		expect(await test({ baseUrl: `${sandbox.baseUrl}/elsewhere` })).toEqual(NOT_THE_API);
	});

	it.each([
		['a web page', { kind: 'html' }],
		['a page with status 404', { kind: 'html', status: 404 }],
		['a list', { kind: 'text', text: '[{}]' }],
		['nothing', { kind: 'text', text: '' }],
	] as const)('recognizes an address that answers with %s', async (_, fault) => {
		sandbox.faults.add(fault);
		expect(await test({})).toEqual(NOT_THE_API);
	});

	it.each([301, 307])(
		'recognizes an address that redirects (%d), without forwarding the key',
		async (status) => {
			const target = await serve((_, response) => response.end('{"user_id":1}'));
			const moved = await serve((_, response) =>
				response.writeHead(status, { location: `${target.origin}/api/v1/users/me` }).end(),
			);
			try {
				expect(await test({ baseUrl: moved.origin })).toEqual({
					status: 'Error',
					message: ofRule(expect.stringContaining('redirects to another one')),
				});
				expect(moved.requests).toHaveLength(1);
				expect(target.requests).toEqual([]);
			} finally {
				await moved.close();
				await target.close();
			}
		},
	);

	// Without an answer, n8n shows only the code, despite any rules.
	describe('Codes that docs/failures.md explains', () => {
		const code = explainedCodes().map((each) => each.code);
		let selfSigned: TestServer;
		beforeAll(async () => {
			selfSigned = await serveSelfSigned((_, response) => response.end());
		});
		afterAll(async () => await selfSigned.close());

		it.each([
			['without a server', closedOrigin],
			['whose server does not speak HTTPS', () => sandbox.baseUrl.replace('http:', 'https:')],
			['with a self-signed certificate', () => selfSigned.origin],
			['that names no server', () => 'https://nowhere.invalid'],
		])('shows a code for an address %s', async (_, addressOf) => {
			expect(await test({ baseUrl: await addressOf() })).toEqual({
				status: 'Error',
				message: ofRule(expect.stringMatching(new RegExp(`^(${code.join('|')})$`))),
			});
		});
	});
});

it('reports that the community is busy', async () => {
	sandbox.faults.add({ kind: 'status', status: 429 });
	expect(await test({})).toEqual({
		status: 'Error',
		message: ofRule(expect.stringContaining('too many requests right now')),
	});
});

it("signs requests of n8n's HTTP Request node, and identifies their sender", async () => {
	const answer = await requestWithCredential(credentialFor(sandbox), {
		method: 'PUT',
		uri: `${sandbox.baseUrl}/api/v1/comments/3001`,
		json: true,
		body: { content: 'Changed' },
		headers: { accept: 'application/json' },
	});
	expect(answer).toMatchObject({ comment_id: 3001, clean_text: 'Changed' });
	expect(sandbox.requests.all[0].headers).toMatchObject({
		accept: 'application/json',
		authorization: `Basic ${Buffer.from('sandbox:sandbox-key').toString('base64')}`,
		'user-agent': `n8n-nodes-community-platform/${version} (sandbox)`,
	});
});
