import { Community } from '../../sandbox/community.mts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server.mts';
import { call } from './support.mts';

const options = { seed: 1, members: 430, now: () => new Date('2026-02-03T04:05:06.789Z') };
const KINDS = ['boards', 'users', 'roles', 'posts', 'comments', 'replies', 'tags'] as const;

const started: Sandbox[] = [];
afterEach(() => Promise.all(started.splice(0).map((sandbox) => sandbox.close())));

/** Starts a sandbox that is closed after the test, however that ends. */
async function start(given: SandboxOptions) {
	const sandbox = await startSandbox(given);
	started.push(sandbox);
	return sandbox;
}

/** Everything in a community, as text. */
const dump = (community: Community) =>
	JSON.stringify([
		...KINDS.map((kind) => [...community[kind].values()]),
		[...community.boardMembers].map(([id, members]) => [id, [...members]]),
		[...community.tagMappings].map(([key, ids]) => [key, [...ids]]),
	]);

it('is the same every time, and another one with another seed', () => {
	const first = dump(new Community(options));
	expect(dump(new Community({ ...options, now: () => new Date(0) }))).toBe(first);
	expect(dump(new Community({ ...options, seed: 2 }))).not.toBe(first);
});

it('starts over with every record as it was, and gives no identifier twice', () => {
	const community = new Community({ seed: 1, members: 30, now: () => new Date(0) });
	const records = () => [community.users, community.boards, community.posts].map((map) => [...map]);
	const before = structuredClone(records());
	const joined = community.join();
	community.removeBoard(1);
	expect([...community.posts.values()].filter(({ board_id }) => board_id === 1)).toEqual([]);
	community.startOver();

	expect(records()).toEqual(before);
	expect(community.join().user_id).toBeGreaterThan(joined.user_id);
});

it('is back to that after a reset', () => {
	const community = new Community(options);
	const before = dump(community);
	const { msid } = community.join();
	community.promote(120, 22);
	community.removeUser(121);
	community.boards.clear();
	expect(dump(community)).not.toBe(before);
	community.reset();
	expect(dump(community)).toBe(before);
	expect(community.join().msid).toBe(msid);
});

it('stamps new records by the clock it is given', () => {
	const user = new Community(options).join();
	expect(user.created_at).toBe('2026-02-03T04:05:06.789Z');
});

it('has counters that agree with the records', () => {
	const { boards, posts, comments, replies } = new Community(options);
	for (const board of boards.values()) {
		const own = [...posts.values()].filter(({ board_id }) => board_id === board.board_id);
		expect(board.post_count).toBe(own.length);
		expect(board.last_posted_at).toBe(
			own
				.map(({ created_at }) => created_at)
				.sort()
				.pop() ?? null,
		);
	}
	for (const post of posts.values()) {
		const own = [...comments.values()].filter(({ post_id }) => post_id === post.post_id);
		expect(post.comment_count).toBe(own.length);
		expect(post.reply_count).toBe(own.reduce((sum, { reply_count }) => sum + reply_count, 0));
		const reactions = Object.values(post.reactions ?? {});
		expect(post.react_count).toBe(reactions.reduce((sum, count) => sum + count, 0));
	}
	for (const comment of comments.values()) {
		const own = [...replies.values()].filter(({ comment_id }) => comment_id === comment.comment_id);
		expect(comment.reply_count).toBe(own.length);
	}
});

it('has members that can be told apart by how active they are', () => {
	const active = new Community(options).members(10, 'user_id', 'asc');
	const above = (count: number) => active.filter(({ post_count }) => post_count > count).length;
	expect(above(0)).toBeLessThan(active.length);
	expect(above(20)).toBeGreaterThan(30);
	expect(above(100)).toBeGreaterThan(2);
	const [one, , nine] = active;
	expect(one.msid).toBe(`${one.user_id}.${one.sid}`);
	expect(nine.msid).not.toBe(one.msid);
	const seconds = active.map(({ created_at }) => created_at);
	expect(new Set(seconds).size).toBeLessThan(seconds.length);
});

it('grows to a hundred thousand members and lists them', async () => {
	const sandbox = await start({ members: 100_000 });
	const query = { page: 1_000, page_size: 50, sort_by: 'joined' };
	const answer = await call(sandbox, 'GET', '/api/v1/users', { query });
	expect([answer.data.length, answer.headers.has_more]).toEqual([50, '1']);
	expect(sandbox.community.users.size).toBe(100_000);
});

it('says which port is taken', async () => {
	const first = await start({});
	const port = Number(new URL(first.baseUrl).port);
	await expect(start({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
