import fc from 'fast-check';
import { CommunityPlatformApi } from '../../credentials/CommunityPlatformApi.credentials.ts';
import { credentialLines } from '../../sandbox/credential.mts';
import { FIRST_NAMES, LAST_NAMES } from '../../sandbox/seed/words.mts';
import { type Sandbox, startSandbox } from '../../sandbox/server.mts';
import { call, type CallOptions, startReceiver } from './support.mts';

const MARKUP = '<img src=x onerror="alert(1)">';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

/** Asks without a key, as the page does. */
async function ask(method: string, path: string, { headers, ...options }: CallOptions = {}) {
	const without = { authorization: null, 'user-agent': null, ...headers };
	return await call(sandbox, method, path, { ...options, headers: without });
}
const browse = (path = '/') => ask('GET', path, { headers: { accept: 'text/html,*/*;q=0.8' } });
const view = async (query: Record<string, unknown> = {}) =>
	(await ask('GET', '/_sandbox/view', { query })).data;

describe('The page', () => {
	it("is at the community's own address, with everything it loads", async () => {
		const { status, headers, data } = await browse();
		expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
		const paths = [...data.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path);
		const seen = new Map<string, string>();
		for (const path of paths) {
			if (seen.has(path)) continue;
			const file = await browse(path);
			expect([path, file.status]).toEqual([path, 200]);
			seen.set(path.split('.').pop()!, String(file.headers['content-type']));
			for (const [, name] of String(file.data).matchAll(/ from '\.\/([^']*)'/g)) {
				paths.push(`/_sandbox/page/${name}`);
			}
		}
		expect(Object.fromEntries(seen)).toEqual({
			svg: 'image/svg+xml',
			css: 'text/css; charset=utf-8',
			mjs: 'text/javascript; charset=utf-8',
		});
		expect(paths).toContain('/_sandbox/page/tables.mjs');
	});

	it('runs no script and loads nothing but its own', async () => {
		for (const path of ['/', '/_sandbox/page/main.mjs']) {
			const { headers } = await browse(path);
			expect(headers).toMatchObject({
				'x-content-type-options': 'nosniff',
				'cache-control': 'no-store',
			});
			const policy = headers['content-security-policy'].split('; ');
			expect(policy).toEqual(
				expect.arrayContaining([
					"default-src 'none'",
					"script-src 'self'",
					"form-action 'none'",
					"frame-ancestors 'none'",
				]),
			);
			expect(policy.join()).not.toMatch(/unsafe|data:|\*|http/);
		}
		expect((await browse()).data).not.toMatch(
			/<script(?![^>]* src=)|<style|\bon\w+=|\bstyle=|:\/\/(?!localhost)/,
		);
	});

	it('is neither recorded nor limited, and no fault befalls it', async () => {
		sandbox.rateLimit.set({ perSecond: 0.001, burst: 1 });
		sandbox.faults.add({ kind: 'status', status: 503 });
		const answers = [
			await browse(),
			await browse('/?x=1'),
			await browse('/_sandbox/page/style.css'),
		];
		answers.push(await ask('GET', '/_sandbox/view'));
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
		expect(sandbox.requests.total).toBe(0);
		expect(sandbox.faults.list()).toMatchObject([{ seen: 0 }]);
		sandbox.faults.clear();
		expect((await call(sandbox, 'GET', '/api/v1/roles')).status).toBe(200);
	});

	it('is for browsers: to the API there is still nothing at its address', async () => {
		for (const [method, accept] of [
			['GET', 'application/json'],
			['POST', 'text/html'],
		]) {
			const { status, data } = await call(sandbox, method, '/', { headers: { accept } });
			expect([status, data.status]).toEqual([404, 'NOT_FOUND']);
		}
		expect((await ask('GET', '/')).status).toBe(403);
		expect(sandbox.requests.statuses).toEqual({ 404: 2, 403: 1 });
	});

	it.each(['tsconfig.json', '..%2Fserver.mts', '../page.mts', 'constructor', '__proto__'])(
		'gives out no other file: %s',
		async (name) => {
			expect((await browse(`/_sandbox/page/${name}`)).status).toBe(404);
		},
	);
});

describe('What is set', () => {
	it('can be read', async () => {
		const get = async (path: string) => (await ask('GET', `/_sandbox${path}`)).data;
		expect([await get('/rate-limit'), await get('/webhooks')]).toEqual([null, []]);
		const limit = { perSecond: 3, burst: 4, retryAfterSeconds: 1 };
		const addresses = [{ url: 'http://127.0.0.1:1/', secret: 's', via: 'bearer' }];
		await ask('PUT', '/_sandbox/rate-limit', { body: limit });
		await ask('PUT', '/_sandbox/webhooks', { body: addresses });
		expect([await get('/rate-limit'), await get('/webhooks')]).toEqual([limit, addresses]);
		expect(await get('/settings')).toEqual(sandbox.settings);
		expect(await view()).toMatchObject({ rateLimit: limit, webhooks: addresses });
	});

	it.each([
		['localhost:5678/webhook/x', 'begin localhost:5678/webhook/x with http://'],
		['127.0.0.1:5678/webhook/x', 'begin 127.0.0.1:5678/webhook/x with http://'],
		['ftp://localhost/x', 'begin ftp://localhost/x with http://'],
		['http://hello', 'http://hello is not an address on this machine'],
		['http://', 'http:// is not an address on this machine'],
	])('has no webhook at %s, with the true reason', async (url, reason) => {
		const { status, data } = await ask('PUT', '/_sandbox/webhooks', { body: [{ url }] });
		expect([status, data.message.split(' | ')[1]]).toEqual([400, reason]);
		expect(sandbox.webhooks.addresses).toEqual([]);
	});

	const own = () => sandbox.baseUrl;
	it.each<[string, () => Record<string, string>]>([
		['a page of another site', () => ({ 'sec-fetch-site': 'cross-site' })],
		['a page at another port', () => ({ 'sec-fetch-site': 'same-site' })],
		['another origin', () => ({ origin: 'https://elsewhere.example' })],
		['another port in the origin', () => ({ origin: 'http://127.0.0.1:1' })],
		['another scheme in the origin', () => ({ origin: own().replace('http:', 'https:') })],
		['an origin that is kept secret', () => ({ origin: 'null' })],
		['a name that leads to this machine', () => ({ host: 'elsewhere.example' })],
		[
			'such a name, as its own page',
			() => ({
				host: 'elsewhere.example:80',
				origin: 'http://elsewhere.example:80',
				'sec-fetch-site': 'same-origin',
			}),
		],
	])('is not changed by %s', async (_whose, headersOf) => {
		const headers = headersOf();
		sandbox.faults.add({ kind: 'cut' });
		const { size } = sandbox.community.users;
		for (const [method, path, body] of [
			['POST', '/newcomers', {}],
			['POST', '/members', {}],
			['PUT', '/webhooks', [{ url: 'http://127.0.0.1:1/' }]],
			['PATCH', '/settings', { apiKey: 'theirs' }],
			['DELETE', '/faults', undefined],
			['POST', '/reset', undefined],
		] as const) {
			const answer = await ask(method, `/_sandbox${path}`, { body, headers });
			expect([method, path, answer.status]).toEqual([method, path, 403]);
		}
		expect(sandbox.community.users.size).toBe(size);
		expect([sandbox.webhooks.addresses, sandbox.settings.apiKey]).toEqual([[], 'sandbox-key']);
		expect(sandbox.faults.list()).toHaveLength(1);
	});

	it('is not read under a name that leads to this machine', async () => {
		const headers = { host: 'elsewhere.example' };
		expect((await ask('GET', '/_sandbox/view', { headers })).status).toBe(403);
		expect((await ask('GET', '/_sandbox/settings', { headers })).status).toBe(403);
	});

	it('is changed by the page itself, under any name of this machine, and by what is no browser', async () => {
		const { port, origin } = new URL(own());
		const all: Array<Record<string, string>> = [
			{ origin, 'sec-fetch-site': 'same-origin' },
			{ origin: `http://localhost:${port}`, host: `localhost:${port}` },
			{},
		];
		for (const headers of all) {
			expect((await ask('POST', '/_sandbox/newcomers', { headers })).status).toBe(200);
		}
	});
});

describe('Somebody who joins', () => {
	const join = async (body: object = {}) =>
		(await ask('POST', '/_sandbox/newcomers', { body })).data;

	it('has a name like the others, the same after every reset, and shares it with nobody', async () => {
		const first = [(await join()).member, (await join()).member, (await join()).member];
		for (const { first_name, last_name, username, email } of first) {
			expect(FIRST_NAMES).toContain(first_name);
			expect(LAST_NAMES).toContain(last_name);
			expect(email).toBe(`${username}@members.example`);
		}
		expect(new Set(first.map(({ username }) => username)).size).toBe(3);
		sandbox.reset();
		expect((await join()).member).toMatchObject({ msid: first[0].msid, email: first[0].email });
	});

	it('is told to the webhooks, also when it is for the wait-list', async () => {
		expect((await join()).deliveries).toBe(0);
		const receiver = await startReceiver();
		const other = 'http://127.0.0.1:1/';
		sandbox.webhooks.set([{ url: receiver.url }, { url: other, events: ['member.joined'] }]);
		const joined = await join();
		const waiting = await join({ waitlist: true });
		await sandbox.webhooks.settled();
		await receiver.close();
		expect([joined.deliveries, waiting.deliveries]).toEqual([2, 1]);
		expect([joined.member.user_status, waiting.member.user_status]).toEqual([10, 4]);
		const name = `${waiting.member.first_name} ${waiting.member.last_name}`;
		const { deliveries, members } = await view();
		expect(deliveries.total).toBe(3);
		expect(deliveries.rows[0]).toMatchObject({
			id: 3,
			event: 'member.joined_waitlist',
			about: name,
			isOpen: false,
			status: 200,
			answer: expect.stringContaining('"received":'),
		});
		expect(members.rows[0]).toMatchObject({ name, status: 'WAITLIST', role: 'Member' });
		expect(deliveries.rows.find(({ url }: { url: string }) => url === other)).toMatchObject({
			status: null,
			answer: expect.not.stringContaining('Error'),
		});
	});
});

describe('What became of a delivery', () => {
	const UUID = '97780059-531c-4709-b34f-e6963705088c';
	/** n8n's own answer to a test URL that does not listen. */
	const NOT_REGISTERED = {
		code: 404,
		message: `The requested webhook "POST ${UUID}/webhook" is not registered.`,
		hint: "Click the 'Execute workflow' button on the canvas, then try again. (In test mode, the webhook only works for one call after you click this button)",
	};
	const deliver = async (status: number, answer?: object, path = '', secret = 's') => {
		const receiver = await startReceiver(status, answer);
		const address = { url: `${receiver.url}${path}`, ...(secret && { secret }) };
		sandbox.webhooks.set([address]);
		await sandbox.webhooks.send('member.joined', {});
		await receiver.close();
		const { deliveries, newest } = await view();
		expect(newest.deliveries).toEqual(deliveries.rows);
		return { ...deliveries.rows[0], host: new URL(receiver.url).host };
	};

	it.each<[number, object | undefined, string, string, boolean]>([
		[200, { message: 'Event accepted' }, '', 'was answered 200.', true],
		[204, undefined, '', 'was answered 204.', true],
		[
			200,
			{ message: 'Event not selected' },
			'',
			"was answered 200: not selected in the trigger's Events.",
			false,
		],
		[401, undefined, '', 'was answered 401. Check the webhook secret.', false],
		[
			404,
			NOT_REGISTERED,
			'',
			'was answered 404. The workflow is not active, or this is not its address.',
			false,
		],
		[
			404,
			NOT_REGISTERED,
			`/webhook-test/${UUID}/webhook`,
			'was answered 404. This is the test URL, which listens once after Execute step is pressed: enter the production URL.',
			false,
		],
		[200, undefined, '/webhook-test/x', 'was answered 200.', true],
		[503, [], '', 'was answered 503.', false],
	])('is said with what to do: %d %j %s', async (status, answer, path, outcome, isAccepted) => {
		expect(await deliver(status, answer, path)).toMatchObject({ outcome, isAccepted });
	});

	it('says so when there was no secret, or no answer', async () => {
		expect((await deliver(401, undefined, '', '')).outcome).toBe(
			'was answered 401. It has no webhook secret.',
		);
		sandbox.webhooks.set([{ url: 'http://127.0.0.1:1/' }]);
		await sandbox.webhooks.send('member.joined', {});
		const [row] = (await view()).deliveries.rows;
		expect(row).toMatchObject({ isAccepted: false, outcome: `was not answered: ${row.answer}.` });
		expect(row.answer).toMatch(/^\S/);
	});

	it('names the address without what is long or secret in it', async () => {
		const path = `/webhook/${UUID}/webhook?secret=hidden`;
		const { host, place } = await deliver(200, undefined, path);
		expect(place).toBe(`${host}/hook/webhook/97780059…/webhook`);
	});

	it("has all of n8n's hint", async () => {
		const { answer } = await deliver(404, NOT_REGISTERED);
		expect(JSON.parse(answer)).toEqual(NOT_REGISTERED);
		const { answer: longest } = await deliver(500, { message: 'x'.repeat(5_000) });
		expect(longest).toHaveLength(800);
	});

	it('is there to be told of more than are shown', async () => {
		sandbox.webhooks.set(Array(15).fill({ url: 'http://127.0.0.1:1/' }));
		await sandbox.webhooks.send('member.joined', {});
		const { deliveries, newest } = await view();
		expect([deliveries.rows.length, newest.deliveries.length]).toEqual([10, 15]);
	});
});

describe('What the page shows', () => {
	it('is what there is, the newest first', async () => {
		const { community } = sandbox;
		const last = [...community.users.values()].at(-1)!;
		const { members, boards, tags, newest, credential } = await view();
		expect([members.total, boards.total, tags.total]).toEqual([430, 130, 160]);
		expect(members.rows[0]).toMatchObject({ id: last.user_id, msid: last.msid });
		expect(newest.posts[0].id).toBe([...community.posts.keys()].at(-1));
		expect(boards.rows[0].latest[0]).toEqual(newest.posts[0]);
		expect(credential).toEqual({
			sourceSystem: 'sandbox',
			apiKey: 'sandbox-key',
			webhookSecret: 'sandbox-webhook-secret',
		});
	});

	it('is what a terminal shows of the credential, too, under the labels of its fields', async () => {
		const { properties } = new CommunityPlatformApi();
		const lines = credentialLines(sandbox).split('\n');
		expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual(
			Object.entries({
				baseUrl: sandbox.baseUrl,
				sourceSystem: 'sandbox',
				apiKey: 'sandbox-key',
				webhookSecret: 'sandbox-webhook-secret',
			}).map(([name, value]) => [
				properties.find((property) => property.name === name)?.displayName,
				value,
			]),
		);
	});

	it('has each board with its own latest posts, and boards without posts last', async () => {
		sandbox.community.boards.get(130)!.display_order = 0;
		sandbox.community.boards.get(129)!.display_order = 0.5;
		const { rows } = (await view({ boards: 1000 })).boards;
		const posts = [...sandbox.community.posts.values()];
		const quiet = rows.filter(({ latest: shown }: { latest: object[] }) => shown.length === 0);
		expect(quiet.slice(0, 2).map(({ id }: { id: number }) => id)).toEqual([130, 129]);
		expect(rows).toHaveLength(130);
		const latest = rows.map(
			({ id, latest: shown }: { id: number; latest: Array<{ id: number }> }) => {
				const ids = posts.filter(({ board_id }) => board_id === id).map(({ post_id }) => post_id);
				expect(shown.map((post) => post.id)).toEqual(ids.reverse().slice(0, 3));
				return shown[0]?.id ?? -Infinity;
			},
		);
		expect(latest).toEqual([...latest].sort((a: number, b: number) => (a === b ? 0 : b - a)));
	});

	it('is a post that was written just now, as text, whatever it looks like', async () => {
		const { msid } = sandbox.community.join({ first_name: MARKUP });
		const body = {
			board_id: 40,
			headline: MARKUP,
			content: `<p>Hello ${MARKUP}!</p>`,
			authors: [msid],
		};
		await call(sandbox, 'POST', '/api/v1/posts', { body });
		const { headers, data } = await ask('GET', '/_sandbox/view');
		expect(headers['content-type']).toMatch(/^application\/json/);
		expect(data.boards.rows[0]).toMatchObject({
			id: 40,
			postCount: 1,
			latest: [{ headline: MARKUP, text: 'Hello !', author: MARKUP, status: '' }],
		});
		expect(data.members.rows[0].name).toBe(MARKUP);
	});

	it('is each request with its status, and how many the rate limit refused', async () => {
		sandbox.rateLimit.set({ perSecond: 0.001, burst: 1 });
		await call(sandbox, 'GET', '/api/v1/roles?page=1');
		await call(sandbox, 'GET', '/api/v1/users/me');
		const { requests } = await view();
		expect(requests).toMatchObject({
			total: 2,
			refused: 1,
			rows: [
				{ method: 'GET', url: '/api/v1/users/me', status: 429, isOpen: false },
				{ method: 'GET', url: '/api/v1/roles?page=1', status: 200, isOpen: false },
			],
		});
		expect(requests.rows[0].id).toBeGreaterThan(requests.rows[1].id);
		expect(Date.parse(requests.rows[0].begun)).not.toBeNaN();
	});

	it('is as many rows as asked for, within bounds', async () => {
		const count = async (members: unknown) => (await view({ members })).members.rows.length;
		expect(await Promise.all([3, 2.5, 1000, 5000].map(count))).toEqual([3, 2, 430, 430]);
		expect(await Promise.all(['x', '', 0, undefined].map(count))).toEqual([10, 10, 10, 10]);
		expect(await count(-4)).toBe(1);
	});

	it('is the members in whom every word occurs', async () => {
		sandbox.community.join({ first_name: 'Zed', last_name: 'Quirk', role_id: 22 });
		const names = async (find: string) =>
			(await view({ find })).members.rows.map(({ name }: { name: string }) => name);
		expect(await names(' quirk CHAMPION ')).toEqual(['Zed Quirk']);
		expect(await names('quirk mentor')).toEqual([]);
		const { members } = await view({ find: 'waitlist' });
		expect(members.total).toBe(sandbox.community.members(4, 'user_id', 'asc').length);
	});
});

it('a fault befalls every so manyth request after those that it lets pass', () => {
	const whole = (max: number) => fc.integer({ min: 1, max });
	fc.assert(
		fc.property(whole(5), fc.nat(4), fc.nat(6), whole(40), (every, after, times, requests) => {
			sandbox.faults.clear();
			sandbox.faults.add({ kind: 'cut', every, after, times, label: 'anything' });
			const befallen = Array.from({ length: requests }, (_, index) => index).filter(
				() => sandbox.faults.befall('GET', '/')?.answer !== undefined,
			);
			const due = Array.from({ length: times }, (_, index) => after + (index + 1) * every - 1);
			expect(befallen).toEqual(due.filter((index) => index < requests));
		}),
	);
	sandbox.faults.clear();
});
