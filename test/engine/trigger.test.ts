import axios from 'axios';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { user } from '../../nodes/shared/records.ts';
import { useSandbox, withoutBackoff } from '../support/community.mts';
import { logged } from '../support/logs.mts';
import type { HostOptions } from './trigger-host.mts';
import { TriggerHost } from './trigger-host.mts';
import { Rows } from './trigger-row.mts';

const sandbox = useSandbox({ members: 30 });
// Also the pauses around n8n's record are drawn at random.
withoutBackoff();

const rows = new Rows();
const hosts: TriggerHost[] = [];

beforeAll(async () => await rows.install());
afterEach(async () => {
	await Promise.all(hosts.splice(0).map(async (host) => await host.close()));
	rows.clear();
});

const RIGHT = { 'x-webhook-secret': 'right' };
const member = (id: number) => ({ user_id: id, sid: 'a', msid: `${id}.a`, first_name: 'Ada' });
const joined = (job: number, event = 'member.joined') => ({
	event,
	job_id: job,
	entities: { user: [member(job)] },
});

async function listening(options: HostOptions = {}): Promise<TriggerHost> {
	const host = await new TriggerHost(sandbox, options).listen();
	hosts.push(host);
	return host;
}

/** Sends a body as it is, and waits for what it started. */
async function deliver(
	host: TriggerHost,
	body: unknown,
	headers: Record<string, string> = RIGHT,
	query = '',
): Promise<{ status: number; data: { message: string } }> {
	const answer = await axios.post(host.url + query, body, {
		headers: { 'content-type': 'application/json', ...headers },
		proxy: false,
		validateStatus: () => true,
		transformRequest: (data) => (typeof data === 'string' ? data : JSON.stringify(data)),
	});
	await host.settled();
	return answer;
}

describe('answers', () => {
	it('accepts the secret in three places, whatever way the community sends it', async () => {
		const host = await listening();
		for (const via of ['header', 'bearer', 'query'] as const) {
			sandbox.webhooks.set([{ url: host.url, secret: 'right', via }]);
			const [{ status, answer }] = await sandbox.webhooks.send('member.joined', {
				user: [member(1)],
			});
			expect([status, answer]).toEqual([200, '{"message":"Event accepted"}']);
		}
		await host.settled();
		expect(host.executions).toHaveLength(3);
	});

	it.each([
		['none', {}, ''],
		['a wrong one', { 'x-webhook-secret': 'wrong' }, ''],
		['a longer one', { 'x-webhook-secret': 'right1' }, ''],
		['a shorter one', { authorization: 'Bearer righ' }, ''],
		['another scheme', { authorization: 'Basic right' }, ''],
		['two in the query', {}, '?secret=right&secret=x'],
	])('refuses %s', async (_, headers, query) => {
		const host = await listening();
		const { status, data } = await deliver(host, joined(1), headers as never, query);
		expect([status, data.message]).toEqual([401, 'The secret is missing or wrong']);
		expect(host.executions).toEqual([]);
	});

	it.each([
		['without a secret', { credential: { webhookSecret: '' } }],
		['that is not there', { isWithoutCredential: true }],
	])('refuses everything with a credential %s', async (_, options) => {
		const host = await listening(options);
		expect((await deliver(host, joined(1))).status).toBe(401);
		expect((await deliver(host, joined(1), {}, '?secret=')).status).toBe(401);
		expect(host.executions).toEqual([]);
	});

	it('asks to come again while the secret cannot be read, and leaves no execution behind', async () => {
		const host = await listening({ credentialFailure: new TypeError('the database is busy') });
		const { status, data } = await deliver(host, joined(1));
		expect([status, data.message]).toEqual([503, 'The secret cannot be checked right now']);
		expect(host.executions).toEqual([]);
		expect(logged.join('\n')).toContain('the database is busy');
	});

	it('asks for no secret without verification', async () => {
		const host = await listening({
			parameters: { verification: 'none' },
			isWithoutCredential: true,
		});
		expect((await deliver(host, joined(1), {})).status).toBe(200);
		expect(host.items).toHaveLength(1);
	});

	it('goes by the allow list, also for IPv4 seen as IPv6', async () => {
		const options = { ipAllowlist: '203.0.113.0/24, 2001:db8::7' };
		const status = async (ip?: string) => {
			const host = await listening({ parameters: { options }, ip });
			return (await deliver(host, joined(1))).status;
		};
		expect(await status('203.0.113.9')).toBe(200);
		expect(await status('::ffff:203.0.113.9')).toBe(200);
		expect(await status('2001:db8::7')).toBe(200);
		expect(await status('203.0.114.1')).toBe(403);
		expect(await status()).toBe(403);
	});

	it('keeps everybody out with an allow list that cannot be read', async () => {
		const host = await listening({ parameters: { options: { ipAllowlist: 'localhost' } } });
		const { status, data } = await deliver(host, joined(1));
		expect([status, data.message]).toEqual([403, 'This address is not on the allow list']);
	});

	it('acknowledges an event that is not selected, and leaves it alone', async () => {
		const host = await listening();
		const { status, data } = await deliver(host, joined(1, 'member.joined_waitlist'));
		expect([status, data.message]).toEqual([200, 'Event not selected']);
		expect((await deliver(host, joined(1, 'post.created'))).status).toBe(200);
		expect(host.executions).toEqual([]);
	});

	it('takes any event with *, also one that is about nothing', async () => {
		const host = await listening({ parameters: { events: ['*'] } });
		await deliver(host, joined(1, 'member.joined_waitlist'));
		await deliver(host, { event: 'community.opened', job_id: 2, entities: {} });
		expect(host.items).toMatchObject([
			{ event: 'member.joined_waitlist', user: { msid: '1.a' } },
			{ event: 'community.opened', dedupe_key: 'community.opened:2' },
		]);
	});

	it('refuses what is not an event, and nothing is left behind, whatever is sent', async () => {
		const host = await listening({ parameters: { events: ['*'], verification: 'none' } });
		const bodies = fc.oneof(fc.json(), fc.string(), fc.constantFrom('', 'null', '[]', '{}'));
		const types = fc.constantFrom('application/json', 'text/plain', 'application/octet-stream');
		await fc.assert(
			fc.asyncProperty(bodies, types, async (body, type) => {
				const { status, data } = await deliver(host, body, { 'content-type': type });
				// What is not even JSON is refused by n8n itself before the trigger sees it.
				expect(type === 'application/json' ? [400, 422] : [400]).toContain(status);
				expect(data.message).not.toBe('');
			}),
			{ numRuns: 200 },
		);
		expect(host.executions).toEqual([]);
	});

	it('takes a body of many megabytes', async () => {
		const host = await listening();
		const big = { ...member(1), user_description: 'x'.repeat(12_000_000) };
		const { status } = await deliver(host, { ...joined(1), entities: { user: [big] } });
		expect(status).toBe(200);
		expect(host.items).toHaveLength(1);
	});
});

describe('items', () => {
	it('hold the event and every documented field of the member', async () => {
		const host = await listening();
		sandbox.webhooks.set([{ url: host.url, secret: 'right' }]);
		const { msid } = sandbox.community.join({ first_name: 'Ada' });
		await sandbox.webhooks.settled();
		await host.settled();
		const [item] = host.items as Array<IDataObject & { user: IDataObject }>;
		expect(Object.keys(item)).toEqual(['event', 'job_id', 'received_at', 'dedupe_key', 'user']);
		expect(item.dedupe_key).toBe(`member.joined:${String(item.job_id)}:${msid}`);
		expect(Date.now() - Date.parse(item.received_at as string)).toBeLessThan(30_000);
		expect(Object.keys(item.user)).toEqual(user.fields);
		expect(item.user).toMatchObject({ msid, first_name: 'Ada', user_status: 10, banner: null });
		expect(host.executions[0].items[0].pairedItem).toEqual({ item: 0 });
	});

	it('come one for each member, and of other kinds one for each object', async () => {
		const host = await listening({ parameters: { events: ['*'] } });
		const entities = { user: [member(1), member(2)], post: [{ post_id: 3 }] };
		await deliver(host, { event: 'post.created', job_id: 5, entities });
		expect(host.items.map(({ user, post }) => user ?? post)).toMatchObject([
			{ msid: '1.a' },
			{ msid: '2.a' },
			{ post_id: 3, headline: null },
		]);
	});

	it('are the body as it came, with Raw Payload', async () => {
		const host = await listening({ parameters: { options: { rawPayload: true } } });
		const body = { ...joined(1), extra: { kept: [null] } };
		await deliver(host, body);
		await deliver(host, body);
		const [{ received_at, dedupe_key, ...rest }, ...more] = host.items;
		expect(rest).toEqual(body);
		expect([typeof received_at, dedupe_key]).toEqual(['string', 'member.joined:1:1.a']);
		expect(more).toEqual([]);
	});

	it('never hold the secret, nor does anything that n8n stores or logs', async () => {
		const webhookSecret = 'hidden-in-plain-sight';
		const host = await listening({
			credential: { webhookSecret },
			parameters: { confirmWithApi: true, options: { rawPayload: true } },
		});
		sandbox.faults.add({ kind: 'status', status: 403 });
		await deliver(
			host,
			joined(1),
			{ authorization: `Bearer ${webhookSecret}` },
			`?secret=${webhookSecret}`,
		);
		await deliver(host, joined(2), { 'x-webhook-secret': `${webhookSecret}!` });
		await expect(
			new TriggerHost(sandbox, {
				credential: { webhookSecret },
				parameters: { options: { ipAllowlist: 'x' } },
			}).activate(),
		).rejects.toThrow('IP Allowlist');
		expect(host.executions).toHaveLength(1);
		const { input, items, error } = host.executions[0];
		expect(error).toBeDefined();
		const stored = JSON.stringify([input, items, { ...error, message: error?.message }]);
		expect(stored + logged.join('\n')).not.toContain(webhookSecret);
	});
});

describe('repeats', () => {
	it('are dropped, each delivery once, however many come at the same instant', async () => {
		let random = 0;
		jest.mocked(Math.random).mockImplementation(() => (random = (random + 0.618) % 1));
		const host = await listening();
		sandbox.webhooks.set([{ url: host.url, secret: 'right' }]);
		const sent = await Promise.all(
			Array.from({ length: 60 }, async (_, index) =>
				sandbox.webhooks.send('member.joined', { user: [member(index)] }),
			),
		);
		const numbers = sent.map(([{ number }]) => number);
		await Promise.all(
			numbers.map(async (number, index) => sandbox.webhooks.repeat(number, index < 15 ? 4 : 1)),
		);
		await host.settled();
		expect(host.executions).toHaveLength(60 + 60 + 45);
		expect(new Set(host.items.map(({ dedupe_key }) => dedupe_key)).size).toBe(60);
		expect(host.items).toHaveLength(60);
		// The key of each, and the claim to it.
		expect(rows.size).toBe(120);
	});

	it('come through when they are not to be ignored, and are not remembered', async () => {
		const host = await listening({ parameters: { options: { ignoreDuplicates: false } } });
		await deliver(host, joined(1));
		await deliver(host, joined(1));
		expect(host.items).toHaveLength(2);
		expect(rows.size).toBe(0);
	});

	it('are told from the same member in another event or job', async () => {
		const host = await listening({ parameters: { events: ['*'] } });
		await deliver(host, joined(1));
		await deliver(host, { ...joined(1), job_id: 2 });
		await deliver(host, joined(1, 'member.joined_waitlist'));
		expect(host.items).toHaveLength(3);
	});

	it('all come through in a manual test, which remembers nothing', async () => {
		const host = await listening({ mode: 'manual' });
		await deliver(host, joined(1));
		await deliver(host, joined(1));
		expect(host.items).toHaveLength(2);
		expect(rows.size).toBe(0);
	});

	it('end the run visibly when n8n cannot remember, and nothing is given out', async () => {
		const host = await listening();
		rows.failure = new TypeError('the database is gone');
		await deliver(host, joined(1));
		expect(host.executions[0]).toMatchObject({ items: [], error: { name: 'NodeApiError' } });
		rows.failure = undefined;
		await host.retry(host.executions[0]);
		expect(host.items).toHaveLength(1);
	});

	it('do not keep an execution from being retried', async () => {
		const host = await listening();
		await deliver(host, joined(1));
		await host.retry(host.executions[0]);
		expect(host.items).toHaveLength(2);
		await deliver(host, joined(1));
		expect(host.items).toHaveLength(2);
	});
});

describe('Confirm with API', () => {
	const confirming = { parameters: { confirmWithApi: true } };

	function delivery(msid: string, job = 1) {
		return { ...joined(job), entities: { user: [{ msid, first_name: 'Forged', email: 'f@x.y' }] } };
	}

	it("gives the API's own record", async () => {
		const host = await listening(confirming);
		const { msid, first_name, email } = sandbox.community.caller;
		await deliver(host, delivery(msid));
		expect(host.items).toMatchObject([{ user: { msid, first_name, email, banner: null } }]);
	});

	it.each(['999.ffff', '101.wrong', 'me', '../roles', '101.a/../../roles', '', '101.a?x=1'])(
		'drops a member who does not exist: %j',
		async (msid) => {
			const host = await listening(confirming);
			await deliver(host, delivery(msid));
			expect(host.executions).toMatchObject([{ items: [] }]);
			expect(host.executions[0].error).toBeUndefined();
			const asked = sandbox.requests.all.map(({ path }) => path);
			expect(asked.filter((path) => !/^\/api\/v1\/users\/\d+\.\w+$/.test(path))).toEqual([]);
		},
	);

	it('drops a member for whom the API answers with another one', async () => {
		const host = await listening(confirming);
		const { msid } = sandbox.community.caller;
		sandbox.faults.add({ kind: 'status', status: 200, body: { msid, first_name: 'Other' } });
		await deliver(host, delivery(`${msid}0`));
		expect(host.executions).toMatchObject([{ items: [] }]);
	});

	it('takes the record of a member whose msid this key may not view', async () => {
		const host = await listening(confirming);
		sandbox.faults.add({ kind: 'status', status: 200, body: { user_id: 7, first_name: 'Real' } });
		await deliver(host, delivery('7.b'));
		expect(host.items).toMatchObject([{ user: { user_id: 7, first_name: 'Real' } }]);
	});

	it('fails visibly when the API answers with nothing', async () => {
		const host = await listening(confirming);
		sandbox.faults.add({ kind: 'text', text: '{}' });
		await deliver(host, delivery('7.b'));
		expect(host.executions[0].error?.message).toBe('The answer is not one of this API');
		expect(rows.size).toBe(0);
	});

	it('drops a raw body that names a member who does not exist', async () => {
		const host = await listening({
			parameters: { confirmWithApi: true, options: { rawPayload: true } },
		});
		const { msid } = sandbox.community.caller;
		await deliver(host, { ...joined(1), entities: { user: [{ msid }, { msid: '9.a' }] } });
		expect(host.items).toEqual([]);
		await deliver(host, delivery(msid));
		expect(host.items).toMatchObject([{ entities: { user: [{ first_name: 'Forged' }] } }]);
	});

	it('lets a made-up member pass in a manual test', async () => {
		const host = await listening({ ...confirming, mode: 'manual' });
		await deliver(host, delivery('999.ffff'));
		expect(host.items).toMatchObject([{ user: { msid: '999.ffff', first_name: 'Forged' } }]);
	});

	it('asks again while the API is busy', async () => {
		const host = await listening(confirming);
		sandbox.faults.add({ kind: 'status', status: 503, times: 2 });
		await deliver(host, delivery(sandbox.community.caller.msid));
		expect(sandbox.requests.total).toBe(3);
		expect(host.items).toHaveLength(1);
	});

	it('fails visibly when the API cannot answer, remembers nothing, and can be retried', async () => {
		const host = await listening(confirming);
		sandbox.faults.add({ kind: 'status', status: 403 });
		const body = delivery(sandbox.community.caller.msid);
		await deliver(host, body);
		const { error, items } = host.executions[0];
		expect(items).toEqual([]);
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '403' });
		expect(error?.description).toContain('API Key');
		expect(rows.size).toBe(0);
		sandbox.faults.clear();
		await host.retry(host.executions[0]);
		expect(host.items).toHaveLength(1);
		await deliver(host, body);
		expect(host.items).toHaveLength(1);
	});

	it.each([
		{ kind: 'html' as const, status: 404 },
		{ kind: 'status' as const, status: 404, body: { status: 404, message: 'no such route' } },
	])('takes a 404 that is not of the API for a failure: %j', async (fault) => {
		const host = await listening(confirming);
		sandbox.faults.add(fault);
		await deliver(host, delivery('999.ffff'));
		expect(host.executions[0].error).toMatchObject({ name: 'NodeApiError', httpCode: '404' });
	});

	it('gives the failure as an item when the node is set to continue', async () => {
		const host = await listening({ ...confirming, onError: 'continueRegularOutput' });
		sandbox.faults.add({ kind: 'status', status: 403 });
		await deliver(host, delivery(sandbox.community.caller.msid));
		expect(host.executions[0].error).toBeUndefined();
		expect(Object.keys(host.items[0])).toEqual(['error', 'message', 'details']);
		expect(rows.size).toBe(0);
	});
});

describe('activation', () => {
	const activate = async (options: HostOptions, url?: string) =>
		await new TriggerHost(sandbox, options).activate(url);

	it('goes through with a secret, or without verification', async () => {
		expect(await activate({})).toBe(true);
		const parameters = { verification: 'none' };
		expect(await activate({ parameters, credential: { webhookSecret: '' } })).toBe(true);
		expect(await activate({ parameters, isWithoutCredential: true })).toBe(true);
	});

	it.each<[HostOptions, RegExp]>([
		[{ credential: { webhookSecret: ' ' } }, /no webhook secret.*Open the credential/],
		[{ isWithoutCredential: true }, /needs a credential/],
		[
			{ parameters: { verification: 'none', confirmWithApi: true }, isWithoutCredential: true },
			/needs a credential/,
		],
		[{ parameters: { confirmWithApi: true }, credential: { baseUrl: '' } }, /base URL is empty/],
		[{ parameters: { options: { ipAllowlist: '10.0.0.1, 10.0' } } }, /not IP addresses.*: 10\.0\./],
	])('refuses %j', async (options, message) => {
		await expect(activate(options)).rejects.toThrow(message);
	});

	it('warns about an address that a community cannot reach, and not about others', async () => {
		const warnings = () => logged.filter((line) => line.includes('cannot reach')).length;
		const before = warnings();
		await activate({}, 'https://n8n.example.com');
		expect(warnings()).toBe(before);
		await activate({}, 'http://localhost:5678');
		expect(warnings()).toBe(before + 1);
	});
});
