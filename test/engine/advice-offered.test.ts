import { asNewcomer, useSandbox } from '../support/community.mts';
import type { TestServer } from '../support/servers.mts';
import { serveSelfSigned } from '../support/servers.mts';
import { credentialFor, pick } from './editor.mts';
import { runNode } from './engine.mts';
import { Poller } from './poller.mts';
import { deliver, joined, useHosts } from './trigger-hosts.mts';

const sandbox = useSandbox({ members: 60 });
const { listening } = useHosts(sandbox);

// Each is a caller of its own, because the backoff of a caller grows with each refusal.
// Of the settings in Options and Request Options, the triggers have none, and the pickers use only the time-out.
const NOT_THERE = /Max Requests at Once|Max Retries|Timeout|request options|under Options/;
const getSelf = { resource: 'user', operation: 'getSelf' };
const confirming = { parameters: { confirmWithApi: true } };

async function polled(credential: object = {}): Promise<string> {
	const poller = new Poller(sandbox);
	poller.credential = credential;
	const failed = (await poller.poll().catch((error: unknown) => error)) as Error & {
		description?: string;
	};
	return failed.description ?? '';
}

describe('a limit that goes on refusing', () => {
	beforeEach(() => void sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 0 }));

	it('is told to the action node with its settings', async () => {
		const { error } = await runNode(
			sandbox,
			{ ...getSelf, options: { maxRetries: 1 } },
			asNewcomer(),
		);
		expect(error?.description).toMatch(/Lower "Max Requests at Once" or raise "Max Retries"/);
	});

	it('is told to the polling trigger without them', async () => {
		const advice = await polled(asNewcomer().credential);
		expect(advice).toMatch(/^The API limits how many requests it takes\. Try again later\./);
		expect(advice).not.toMatch(NOT_THERE);
	});

	it('is told to the webhook trigger without them', async () => {
		const host = await listening({ ...confirming, ...asNewcomer() });
		const { msid } = sandbox.community.caller;
		await deliver(host, { ...joined(1), entities: { user: [{ msid }] } });
		const advice = host.executions[0].error?.description ?? '';
		expect(advice).toMatch(/^The API limits how many requests it takes\. Try again later\./);
		expect(advice).not.toMatch(NOT_THERE);
	});

	it('is told to a picker without them', async () => {
		const failed = pick(credentialFor(sandbox, asNewcomer().credential), 'searchRoles');
		await expect(failed).rejects.toMatchObject({
			description: expect.not.stringMatching(/Max Re/) as string,
		});
	});
});

describe('a community that has signed its certificate itself', () => {
	let server: TestServer;
	beforeAll(async () => {
		server = await serveSelfSigned((_, response) => {
			response.setHeader('content-type', 'application/json');
			response.setHeader('has_more', '0');
			response.end('[]');
		});
	});
	afterAll(async () => await server.close());

	it('cannot be polled until the credential says that it is trusted', async () => {
		expect(await polled({ baseUrl: server.origin })).toBe(
			'Ask the operators of the community to fix the certificate. If an authority of your own has issued it, ask who runs this n8n to name that in NODE_EXTRA_CA_CERTS. Only if you trust the address all the same, turn on "Ignore SSL Issues (Insecure)" in the credential.',
		);
		const poller = new Poller(sandbox);
		poller.credential = { baseUrl: server.origin, allowUnauthorizedCerts: true };
		expect(await poller.poll()).toEqual([]);
		expect(server.requests.length).toBeGreaterThan(0);
	});
});

it.each([
	{ allowedHttpRequestDomains: 'domains', allowedDomains: 'elsewhere.example.com' },
	{ allowedHttpRequestDomains: 'none' },
])('both triggers reach the community with a credential with the domains %j', async (domains) => {
	const poller = new Poller(sandbox);
	poller.credential = domains;
	expect(await poller.poll()).toEqual([]);
	expect(sandbox.requests.total).toBeGreaterThan(0);
	const host = await listening({ ...confirming, credential: domains });
	const { msid } = sandbox.community.caller;
	await deliver(host, { ...joined(1), entities: { user: [{ msid }] } });
	expect(host.items).toMatchObject([{ user: { msid } }]);
});
