import fc from 'fast-check';
import { recordingOf } from '../../dev/first-contact/recording.mts';
import { startReplay } from '../../dev/first-contact/replay.mts';
import { visit } from '../../dev/first-contact/visit.mts';
import type { Answer } from '../../dev/first-contact/visitor.mts';
import { startSandbox } from '../../sandbox/server.mts';

const PACE = { pauseMs: 0, mostRequests: 200 };
const CONTACT = {
	baseUrl: 'https://people.acme.test',
	sourceSystem: 'acme-crm',
	apiKey: 'the-secret-key',
};

const answerOf = (body: unknown, url = '/api/v1/users'): Answer => ({
	...{ url, status: 200, headers: {}, body, ms: 1 },
});

it('answers like the community that was recorded, so that a visit finds the same', async () => {
	const sandbox = await startSandbox({ members: 30 });
	const before = await visit(sandbox, PACE, {});
	await sandbox.close();
	const replay = await startReplay(recordingOf(before.answers, sandbox));
	const after = await visit({ ...sandbox, baseUrl: replay.baseUrl }, PACE, {});
	await replay.close();

	expect(replay.unknown).toEqual([]);
	const withoutTimes = ({ findings }: typeof before) =>
		findings.filter(({ question }) => !/^Time of|^Whose/.test(question));
	expect(withoutTimes(after)).toEqual(withoutTimes(before));
	expect(after.answers.map(({ status }) => status)).toEqual(
		before.answers.map(({ status }) => status),
	);
});

it('keeps the structure and nothing personal', () => {
	const text = recordingOf(
		[
			answerOf(
				[
					{
						...{ user_id: 42, sid: 'a1', msid: '42.a1', role_id: 3, user_status: '10' },
						...{ first_name: 'Ada', username: 'ada', email: 'ada@acme.test' },
						...{ user_avatar: 'https://cdn.acme.test/ada.png', phone: 4930123456 },
						...{ created_at: '2026-01-02T03:04:05.678Z', meta: { city: 'London', since: 1842 } },
						user_description: '<p class="acme">Ada of <b>London</b>, 12 St James</p>',
					},
				],
				'/api/v1/users?page=1',
			),
			answerOf({ first_name: 'Ada', msid: '42.a1' }, '/api/v1/users/42.a1'),
		],
		CONTACT,
	);

	const [list, one] = JSON.parse(text) as Answer[];
	expect(list.body).toEqual([
		{
			...{ user_id: 42, sid: 's0001', msid: '42.s0001', role_id: 3, user_status: '10' },
			first_name: expect.stringMatching(/^Name\d{4}$/) as string,
			username: expect.stringMatching(/^name\d{4}$/) as string,
			email: expect.stringMatching(/^member\d{4}@community\.example$/) as string,
			user_avatar: expect.stringMatching(/^https:\/\/community\.example\/\d{4}$/) as string,
			...{ phone: 0, created_at: '2026-01-02T03:04:05.678Z' },
			meta: { city: expect.stringMatching(/^Name\d{4}$/) as string, since: 0 },
			user_description: '<p>Xxx xx <b>Xxxxxx</b>, 00 Xx Xxxxx</p>',
		},
	]);
	expect(one.url).toBe('/api/v1/users/42.s0001');
	expect((one.body as { first_name: string }).first_name).toBe(
		(list.body as Array<{ first_name: string }>)[0].first_name,
	);
});

it('leaves no text of a member, whatever it is', () => {
	const personal = fc.stringMatching(/^[A-Za-zÀ-ÿ@.:/<> 0-9-]{6,40}$/);
	fc.assert(
		fc.property(
			fc.array(personal, { minLength: 1 }),
			fc.constantFrom('first_name', 'note'),
			(texts, field) => {
				const bodies = texts.map((text) => ({
					[field]: `Zoë ${text}`,
					meta: { of: [`Zoë ${text}`] },
				}));
				const recording = recordingOf([answerOf(bodies)], CONTACT);
				expect(recording).not.toContain('Zoë');
				for (const text of texts) {
					if (/[a-zÀ-ÿ]{4}/i.test(text)) expect(recording).not.toContain(`"${text}"`);
				}
			},
		),
	);
});

it.each([CONTACT.apiKey, 'people.acme.test'])('writes nothing where %s would be left', (secret) => {
	const answer = { ...answerOf({}), headers: { 'content-type': `text/${secret}` } };
	expect(() => recordingOf([answer], CONTACT)).toThrow('Nothing was written');
});

it.each([
	['an e-mail address in angle brackets', { user_description: 'Ada <ada.king@acme.test>' }],
	['a telephone number as a name', { username: '0170555012', first_name: '0170555012' }],
	['a birthday with a time', { birthday: '1815-12-10T00:00:00Z' }],
	['a username as a key', { username: 'Ada', meta: { ada: true } }],
	['digits of another script', { user_description: '<p>٠١٧٠٥٥</p>' }],
	['a number of another system', { sso_id: '0170555012' }],
	['a number in place of a text', { username: 4930170555012, sso_id: 170555012 }],
	['a text in place of a code', { board_type: 'ada@acme.test' }],
])('replaces %s', (_what, body) => {
	const recording = recordingOf([answerOf(body)], CONTACT);
	expect(recording).not.toMatch(/ada\b|170555012|1815|٠١٧/i);
});

it('replaces an identifier of another form in the address of a request, too', () => {
	const answers = [
		answerOf({ msid: 'ada@acme.test' }, '/api/v1/users/ada%40acme.test'),
		answerOf({ msid: '42a1' }, '/api/v1/users/42a1'),
		answerOf({ board_id: 7 }, '/api/v1/boards/7'),
		answerOf([], '/api/v1/tags/mapping?ref_type=USER&ref_id=42'),
		answerOf([], '/api/v1/tags/mapping?ref_type=USER&ref_id=ada'),
	];
	const urls = (JSON.parse(recordingOf(answers, CONTACT)) as Answer[]).map(({ url }) => url);
	expect(urls[0]).toMatch(/^\/api\/v1\/users\/member\d{4}%40community.example$/);
	expect(urls[1]).toMatch(/^\/api\/v1\/users\/name\d{4}$/);
	expect(urls.slice(2, 4)).toEqual(answers.slice(2, 4).map(({ url }) => url));
	expect(urls[4]).toMatch(/ref_id=name\d{4}$/);
});

// Says nothing personal, and must not keep the rest from being written.
it.each([
	['HTML without a text', { user_description: '<p></p>', content: '<p>👍…</p>' }],
	['a text of one letter', { code: 'NOT_FOUND', message: 'x' }],
	['the address of a request as a field', { self: '/api/v1/users' }],
	['a field that is called like the source system', { community: 'acme', user_id: 42 }],
])('writes %s', (_what, body) => {
	const contact = { ...CONTACT, sourceSystem: 'community' };
	expect(() => recordingOf([answerOf(body)], contact)).not.toThrow();
});

it('writes a record that is nested without end', () => {
	const depth = 20_000;
	const tree = JSON.parse('{"a":'.repeat(depth) + '"Ada"' + '}'.repeat(depth)) as unknown;
	const recording = recordingOf([answerOf({ user_id: 42, tree })], CONTACT);
	expect(recording).toContain('"user_id": 42');
	expect(recording).not.toContain('Ada');
});

it('keeps the figures of headers about rate limits, and no other text', () => {
	const headers = {
		...{ ratelimit: '"ada";r=50;t=30', 'x-ratelimit-user': 'ada@acme.test' },
		'x-ratelimit-client': '203.0.113.77',
	};
	const recording = recordingOf([{ ...answerOf({}), headers }], CONTACT);
	expect((JSON.parse(recording) as Answer[])[0].headers).toEqual({
		ratelimit: '"x";r=50;t=30',
		'x-ratelimit-user': 'xxx@xxxx.xxxx',
		'x-ratelimit-client': '000.0.000.00',
	});
});
