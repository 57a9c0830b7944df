import fc from 'fast-check';
import { useSandbox } from '../support/community.mts';
import { logged } from '../support/logs.mts';
import { deliver, joined, member, RIGHT, useHosts } from '../support/trigger-hosts.mts';

describe('Triggers', () => {
	const sandbox = useSandbox({ members: 30 });
	const { listening } = useHosts(sandbox);

	const UNREADABLE = 'The settings of this trigger cannot be read right now';

	describe('answers', () => {
		it.each(['right', 'Zoë – 日本'])('accepts the secret %s in three places', async (secret) => {
			const host = await listening({ credential: { webhookSecret: secret } });
			// In UTF-8, as most programs send it.
			const sent = Buffer.from(secret).toString('latin1');
			const answers = [
				await deliver(host, joined(1), { 'x-webhook-secret': sent }),
				await deliver(host, joined(2), { authorization: `Bearer ${sent}` }),
				await deliver(host, joined(3), {}, `?secret=${encodeURIComponent(secret)}`),
			];
			const accepted = { status: 200, data: { message: 'Event accepted' } };
			expect(answers).toMatchObject([accepted, accepted, accepted]);
			expect(host.items).toHaveLength(3);
		});

		it('accepts a secret with a "+" in the URL, plain or encoded, and no other text', async () => {
			const host = await listening({ credential: { webhookSecret: 'a+b c/d=' } });
			const statuses = ['a+b%20c/d=', 'a%2Bb+c%2Fd%3D', 'a%2Bb%20c/d=', 'a%20b%20c/d='].map(
				async (secret) => (await deliver(host, joined(1), {}, `?secret=${secret}`)).status,
			);
			expect(await Promise.all(statuses)).toEqual([200, 200, 200, 401]);
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
			['that does not exist', { isWithoutCredential: true }],
		])('refuses every delivery with a credential %s', async (_, options) => {
			const host = await listening(options);
			expect((await deliver(host, joined(1))).status).toBe(401);
			expect((await deliver(host, joined(1), {}, '?secret=')).status).toBe(401);
			expect(host.executions).toEqual([]);
		});

		it("asks the sender to retry while n8n's Engine 2.0 would not carry out the settings", async () => {
			const engineType = 'v2';
			const strict = await listening({ engineType });
			expect((await deliver(strict, joined(1))).status).toBe(503);
			expect(strict.executions).toEqual([]);
			const parameters = { options: { ignoreDuplicates: false } };
			const host = await listening({ engineType, parameters });
			expect((await deliver(host, joined(1))).status).toBe(200);
			expect(host.executions).toHaveLength(1);
		});

		it('asks the sender to retry while the secret cannot be read, and stores no execution', async () => {
			let isBusy = true;
			const host = await listening({
				async onCredentialRead() {
					if (isBusy) throw new TypeError('the database is busy');
				},
			});
			const { status, data } = await deliver(host, joined(1));
			expect([status, data.message]).toEqual([503, UNREADABLE]);
			expect(host.executions).toEqual([]);
			expect(logged.join('\n')).toContain('the database is busy');
			isBusy = false;
			expect((await deliver(host, joined(1))).status).toBe(200);
		});

		it('requires no secret without verification', async () => {
			const parameters = { verification: 'none' };
			const host = await listening({ parameters, isWithoutCredential: true });
			expect((await deliver(host, joined(1), {})).status).toBe(200);
		});

		it('applies the allow list, even to IPv4 addresses written as IPv6', async () => {
			const options = { ipAllowlist: '203.0.113.0/24, 2001:db8::/32' };
			const status = async (ip?: string) => {
				const host = await listening({ parameters: { options }, ip });
				return (await deliver(host, joined(1))).status;
			};
			expect(await status('203.0.113.9')).toBe(200);
			expect(await status('::ffff:203.0.113.9')).toBe(200);
			expect(await status('2001:db8::7')).toBe(200);
			// Some proxies add the port.
			expect(await status('203.0.113.9:5678')).toBe(200);
			expect(await status('[2001:db8::7]:5678')).toBe(200);
			expect(await status('[2001:db8::7]')).toBe(200);
			expect(await status('203.0.114.1:5678')).toBe(403);
			expect(await status('203.0.114.1')).toBe(403);
			expect(await status('2001:db9::7')).toBe(403);
			expect(await status()).toBe(403);
		});

		it.each(['localhost', '={{ $json.nope }}'])(
			'refuses every address with an allow list that cannot be read: %s',
			async (ipAllowlist) => {
				const host = await listening({ parameters: { options: { ipAllowlist } } });
				const { status, data } = await deliver(host, joined(1));
				expect([status, data.message]).toEqual([503, UNREADABLE]);
				expect(logged.join('\n')).toContain("'IP Allowlist'");
				expect(host.executions).toEqual([]);
			},
		);

		it('acknowledges an event that is not selected, and ignores it', async () => {
			const host = await listening();
			const { status, data } = await deliver(host, joined(1, 'member.joined_waitlist'));
			expect([status, data.message]).toEqual([200, 'Event not selected']);
			expect((await deliver(host, joined(1, 'moon.landed'))).status).toBe(200);
			const asText = await listening({ parameters: { events: 'member.joined_waitlist' } });
			await deliver(asText, joined(1));
			expect([host.executions, asText.executions]).toEqual([[], []]);
			await deliver(asText, joined(1, 'member.joined_waitlist'));
			expect(asText.items).toHaveLength(1);
		});

		it('accepts any event with *, even one without an object', async () => {
			const host = await listening({ parameters: { events: ['*'] } });
			await deliver(host, joined(1, 'member.joined_waitlist'));
			await deliver(host, { event: 'community.opened', job_id: 2, entities: {} });
			expect(host.items).toMatchObject([
				{ event: 'member.joined_waitlist', user: { msid: '1.a' } },
				{ event: 'community.opened', dedupe_key: 'community.opened:2' },
			]);
		});

		const asForm = { 'content-type': 'application/x-www-form-urlencoded' };
		const user = [{ ...member(1), note: '1 + 1 & more' }];
		const text = JSON.stringify({ ...joined(1), entities: { user } });

		it.each<[string, string, object]>([
			['a form that is JSON, as from curl -d', text, asForm],
			['text with a byte order mark', `\uFEFF${text}`, { 'content-type': 'text/plain' }],
			['JSON with a byte order mark', `\uFEFF${text}`, {}],
			['bytes', `\uFEFF${text}`, { 'content-type': 'application/octet-stream' }],
			['JSON of another type', text, { 'content-type': 'application/vnd.api+json' }],
		])('accepts an event in %s', async (_, body, headers) => {
			const host = await listening();
			expect((await deliver(host, body, { ...RIGHT, ...headers })).status).toBe(200);
			expect(host.items).toMatchObject([{ job_id: 1, user: { note: '1 + 1 & more' } }]);
		});

		it('refuses a body that is not an event, and stores no execution', async () => {
			const host = await listening({ parameters: { events: ['*'], verification: 'none' } });
			const bodies = fc.oneof(fc.json(), fc.string(), fc.constantFrom('', 'null', '[]', '{}'));
			const types = fc.constantFrom(
				'application/json',
				'text/plain',
				asForm['content-type'],
				'a/b',
			);
			await fc.assert(
				fc.asyncProperty(bodies, types, async (body, type) => {
					const { status, data } = await deliver(host, body, { 'content-type': type });
					// n8n itself refuses a body that is not JSON before the trigger sees it.
					expect(type === 'application/json' ? [400, 422] : [400]).toContain(status);
					expect(data.message).not.toBe('');
				}),
				{ numRuns: 100 },
			);
			expect(host.executions).toEqual([]);
		});
	});
});
