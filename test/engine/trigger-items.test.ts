import type { IDataObject } from 'n8n-workflow';
import { user } from '../../nodes/shared/records/types.ts';
import { useSandbox } from '../support/community.mts';
import { logged } from '../support/logs.mts';
import { TriggerHost } from './trigger-host.mts';
import { deliver, joined, member, useHosts } from './trigger-hosts.mts';

const sandbox = useSandbox({ members: 30 });
const { listening, rows } = useHosts(sandbox);

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
		await deliver(host, { event: 'moon.landed', job_id: 5, entities });
		expect(host.items.map(({ user, post }) => user ?? post)).toMatchObject([
			{ msid: '1.a' },
			{ msid: '2.a' },
			{ post_id: 3, headline: null },
		]);
	});

	it.each([['a job'], [null], [undefined]])(
		'hold the job_id as it came, and a repeat is dropped by it or without: %j',
		async (job_id) => {
			const host = await listening();
			expect((await deliver(host, { ...joined(1), job_id })).status).toBe(200);
			await deliver(host, { ...joined(1), job_id });
			expect(host.items).toMatchObject([{ job_id: job_id ?? null, user: { msid: '1.a' } }]);
			// As after joining again.
			const user = { ...member(1), last_modified_at: '2026-01-02T00:00:00Z' };
			await deliver(host, {
				...joined(1),
				job_id: job_id && 'another job',
				entities: { user: [user] },
			});
			expect(host.items).toHaveLength(2);
		},
	);

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

	it('leave a delivery as it came, also with the secret in the body', async () => {
		const webhookSecret = 'hidden-in-plain-sight';
		const host = await listening({
			credential: { webhookSecret },
			parameters: { options: { rawPayload: true } },
		});
		const body = { ...joined(1), secret: webhookSecret, [`x ${webhookSecret}`]: 1 };
		await deliver(host, body, { 'x-webhook-secret': webhookSecret });
		expect(host.items).toMatchObject([body]);
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

describe('deduplication of deliveries', () => {
	it('drops duplicates, also of deliveries in the same instant', async () => {
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
		expect(rows.size).toBe(60);
	});

	it('is off when duplicates are not to be ignored, and records nothing', async () => {
		const host = await listening({ parameters: { options: { ignoreDuplicates: false } } });
		await deliver(host, joined(1));
		await deliver(host, joined(1));
		expect(host.items).toHaveLength(2);
		expect(rows.size).toBe(0);
	});

	it('keeps the same member in another event or job', async () => {
		const host = await listening({ parameters: { events: ['*'] } });
		await deliver(host, joined(1));
		await deliver(host, { ...joined(1), job_id: 2 });
		await deliver(host, joined(1, 'member.joined_waitlist'));
		expect(host.items).toHaveLength(3);
	});

	it('is off in a manual test, which records nothing', async () => {
		const host = await listening({ mode: 'manual' });
		await deliver(host, joined(1));
		await deliver(host, joined(1));
		expect(host.items).toHaveLength(2);
		expect(rows.size).toBe(0);
	});

	it('fails the run when n8n cannot record keys, and gives no items', async () => {
		const host = await listening();
		rows.failure = new TypeError('the database is gone');
		await deliver(host, joined(1));
		expect(host.executions[0]).toMatchObject({ items: [], error: { name: 'NodeApiError' } });
		rows.failure = undefined;
		await host.retry(host.executions[0]);
		expect(host.items).toHaveLength(1);
	});

	it.each([
		['once', [1]],
		['twice', [1, 2]],
		['when it was checked again', [2]],
	])(
		'are told from a delivery whose record was written without an answer: %s',
		async (_, unanswered) => {
			rows.unanswered = unanswered;
			const host = await listening();
			await deliver(host, joined(1));
			expect(host.executions).toMatchObject([{ error: undefined, items: [{}] }]);
			await deliver(host, joined(1));
			expect(host.items).toHaveLength(1);
		},
	);

	it('keeps a delivery whose run failed, although its keys may have been recorded', async () => {
		rows.unanswered = [1, 2, 3];
		const host = await listening();
		await deliver(host, joined(1));
		expect(host.executions).toMatchObject([{ error: { name: 'NodeApiError' }, items: [] }]);
		await deliver(host, joined(1));
		await deliver(host, joined(1));
		expect(host.items).toHaveLength(1);
	});

	it('covers the latest 2,500 deliveries', async () => {
		const host = await listening();
		const users = Array.from({ length: 2_500 }, (_, index) => member(index));
		await deliver(host, { ...joined(1), entities: { user: users } });
		expect(rows.size).toBe(2_500);
		await deliver(host, { ...joined(1), entities: { user: [member(2_500)] } });
		expect(rows.size).toBe(2_500);
		await deliver(host, { ...joined(1), entities: { user: [member(1), member(2_500)] } });
		expect(host.items).toHaveLength(2_501);
		await deliver(host, { ...joined(1), entities: { user: [member(0)] } });
		expect(host.items).toHaveLength(2_502);
	});

	it('lets an execution be retried', async () => {
		const host = await listening();
		await deliver(host, joined(1));
		await host.retry(host.executions[0]);
		expect(host.items).toHaveLength(2);
		await deliver(host, joined(1));
		expect(host.items).toHaveLength(2);
	});
});
