import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { user } from '../../nodes/shared/records/types.ts';
import { useSandbox } from '../support/community.mts';
import { logged } from '../support/logs.mts';
import { TriggerHost } from '../support/trigger-host.mts';
import { deliver, joined, member, useHosts } from '../support/trigger-hosts.mts';

const sandbox = useSandbox({ members: 30 });
const { listening, rows } = useHosts(sandbox);

describe('items', () => {
	it('contain the event and every documented field of the member', async () => {
		const host = await listening();
		sandbox.webhooks.set([{ url: host.url, secret: 'right' }]);
		const { msid } = sandbox.community.join({ first_name: 'Ada' });
		await sandbox.webhooks.settled();
		await host.settled();
		const [item] = host.items as Array<IDataObject & { user: IDataObject }>;
		expect(Object.keys(item)).toEqual(['user', 'event', 'job_id', 'received_at', 'dedupe_key']);
		expect(item.dedupe_key).toBe(`member.joined:${String(item.job_id)}:${msid}`);
		expect(Date.now() - Date.parse(item.received_at as string)).toBeLessThan(30_000);
		expect(Object.keys(item.user)).toEqual(user.fields);
		expect(item.user).toMatchObject({ msid, first_name: 'Ada', user_status: 10, banner: null });
		expect(host.executions[0].items[0].pairedItem).toEqual({ item: 0 });
	});

	it("are made by `webhook`, because n8n's Engine 2.0 does not call `execute`", async () => {
		const host = await listening({ parameters: { events: ['*'] } });
		const entities = { user: [member(1), member(2)], post: [{ post_id: 3 }] };
		await deliver(host, { event: 'moon.landed', job_id: 5, entities });
		await deliver(host, { event: 'moon.landed', job_id: 6, entities: {} });
		const jsons = (items: INodeExecutionData[]) => items.map(({ json }) => json);
		for (const { input, items } of host.executions) expect(jsons(input[0])).toEqual(jsons(items));
		expect(host.executions.map(({ items }) => items.length)).toEqual([3, 1]);
	});

	it('are one for each member, or one for each object of another kind', async () => {
		const host = await listening({ parameters: { events: ['*'] } });
		const entities = { user: [member(1), member(2)], post: [{ post_id: 3 }] };
		await deliver(host, { event: 'moon.landed', job_id: 5, entities });
		expect(host.items).toMatchObject([
			{ user: { msid: '1.a' } },
			{ user: { msid: '2.a' } },
			{ post: { post_id: 3, headline: null } },
		]);
	});

	it.each([
		['4711', 4711],
		['"a job"', 'a job'],
		['null', null],
		['{}', null],
	])('contain the received job_id %s, and a repeat is dropped', async (json, job_id) => {
		const host = await listening();
		const body = JSON.stringify(joined(1)).replace('"job_id":1', `"job_id":${json}`);
		await deliver(host, body);
		await deliver(host, body);
		expect(host.items).toMatchObject([{ job_id, user: { msid: '1.a' } }]);
	});

	it.each(['member', 'joined'])('are unchanged with the secret %s', async (secret) => {
		const host = await listening({ credential: { webhookSecret: secret } });
		const about = { ...member(1), secret, [`x ${secret}`]: 1 };
		const body = { ...joined(1), entities: { user: [about] } };
		await deliver(host, body, { 'x-webhook-secret': secret });
		expect(host.items).toMatchObject([{ user: about, dedupe_key: 'member.joined:1:1.a' }]);
	});

	it('contain no header and no query, and no log or failure contains the secret', async () => {
		const webhookSecret = 'hidden-in-plain-sight';
		const credential = { webhookSecret };
		const host = await listening({ credential, parameters: { confirmWithApi: true } });
		sandbox.faults.add({ kind: 'status', status: 403 });
		const headers = { authorization: `Bearer ${webhookSecret}`, 'x-webhook-secret': webhookSecret };
		await deliver(host, joined(1), headers, `?secret=${webhookSecret}`);
		await deliver(host, joined(2), { 'x-webhook-secret': `${webhookSecret}!` });
		const options = { ipAllowlist: 'x' };
		const other = new TriggerHost(sandbox, { credential, parameters: { options } });
		await expect(other.activate()).rejects.toThrow('IP Allowlist');
		expect(host.executions).toHaveLength(1);
		const { input, items, error } = host.executions[0];
		expect(error).toBeDefined();
		expect(input).toMatchObject([[{ json: { user: joined(1).entities.user[0] } }]]);
		const stored = JSON.stringify([input, items, { ...error, message: error?.message }]);
		expect(stored + logged.join('\n')).not.toContain(webhookSecret);
	});
});

describe('deduplication of deliveries', () => {
	it('drops duplicates, even of deliveries in the same instant', async () => {
		const host = await listening();
		const jobs = Array.from({ length: 120 }, (_, index) => index % 60);
		await Promise.all(jobs.map(async (job) => await deliver(host, joined(job))));
		await deliver(host, joined(7));
		expect(host.executions).toHaveLength(121);
		expect(new Set(host.items.map(({ dedupe_key }) => dedupe_key)).size).toBe(60);
		expect(host.items).toHaveLength(60);
		expect(rows.size).toBe(60);
	});

	it.each([
		[
			'when duplicates are not to be ignored',
			{ parameters: { options: { ignoreDuplicates: false } } },
		],
		['in a manual test', { mode: 'manual' as const }],
	])('is off %s, and records nothing', async (_, options) => {
		const host = await listening(options);
		await deliver(host, joined(1));
		await deliver(host, joined(1));
		expect(host.items).toHaveLength(2);
		expect(rows.size).toBe(0);
	});

	it('keeps a member in another event or job, and one who joins again', async () => {
		const host = await listening({ parameters: { events: ['*'] } });
		await deliver(host, joined(1));
		await deliver(host, { ...joined(1), job_id: 2 });
		await deliver(host, joined(1, 'member.joined_waitlist'));
		for (const job_id of [null, undefined, ' ', true]) {
			await deliver(host, { ...joined(1), job_id });
		}
		const again = { ...member(1), last_modified_at: '2026-01-02T00:00:00Z' };
		await deliver(host, { ...joined(1), job_id: null, entities: { user: [again] } });
		expect(host.items).toHaveLength(5);
	});

	it('fails the execution if n8n cannot record keys, and a retry succeeds', async () => {
		const host = await listening();
		rows.failure = new TypeError('the database is gone');
		await deliver(host, joined(1));
		expect(host.executions[0]).toMatchObject({ items: [], error: { name: 'NodeApiError' } });
		rows.failure = undefined;
		await host.retry(host.executions[0]);
		expect(host.items).toHaveLength(1);
	});

	it('covers the latest 2,500 deliveries', async () => {
		const host = await listening();
		const users = Array.from({ length: 2_599 }, (_, index) => member(index));
		await deliver(host, { ...joined(1), entities: { user: users } });
		await deliver(host, { ...joined(1), entities: { user: [member(2_599)] } });
		expect(rows.size).toBeLessThanOrEqual(2_600);
		await deliver(host, { ...joined(1), entities: { user: [member(100), member(2_599)] } });
		expect(host.items).toHaveLength(2_600);
		await deliver(host, { ...joined(1), entities: { user: [member(0)] } });
		expect(host.items).toHaveLength(2_601);
	});
});
