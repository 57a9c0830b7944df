import { CommunityPlatformApi } from '../../credentials/CommunityPlatformApi.credentials.ts';
import { credentialLines } from '../../sandbox/credential.mts';
import { call } from './support.mts';
import { usePage } from './visitor.mts';

const MARKUP = '<img src=x onerror="alert(1)">';

const { sandbox, ask, view } = usePage();

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

	it('counts what was updated, and not what was refused', async () => {
		const { msid } = sandbox.community.caller;
		const role = (role_id: unknown) => ({ body: { action: 101, data: { role_id } } });
		for (const id of [5, 'x', 5]) await call(sandbox, 'PATCH', `/api/v1/users/${msid}`, role(id));
		await call(sandbox, 'GET', `/api/v1/users/${msid}`);
		expect((await view()).updates).toEqual({ members: 2 });
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

	it('is what flows change: posts of a member, names, who may use a private board, colours of a tag', async () => {
		const { community } = sandbox;
		const [member] = community.members(10, 'joined', 'desc');
		const board = [...community.boards.values()].find((each) => each.is_private)!;
		const path = `/api/v1/boards/${board.board_id}/members`;
		community.boardMembers.set(board.board_id, new Set());
		const body = { member_changes: { [member.msid]: true } };
		await call(sandbox, 'PUT', path, { body });
		const post = { board_id: 40, headline: 'A', content: 'B', authors: [member.msid] };
		await call(sandbox, 'POST', '/api/v1/posts', { body: post });
		community.changeUser(member.user_id, { username: 'renamed' });
		const tag = [...community.tags.values()].at(-1)!;
		Object.assign(tag, { back_color: '#112233', text_color: '#fefefe', display_name: 'New name' });

		const { boards, members, tags } = await view({ boards: 1000, find: 'renamed' });
		expect(members.rows).toMatchObject([{ username: 'renamed', postCount: member.post_count }]);
		const shown = boards.rows.find(({ id }: { id: number }) => id === board.board_id);
		expect(shown.members).toEqual([members.rows[0].name]);
		expect(tags.rows[0]).toMatchObject({
			...{ displayName: 'New name', backColor: '#112233', textColor: '#fefefe' },
		});
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
