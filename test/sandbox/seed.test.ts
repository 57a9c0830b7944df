import { Community } from '../../sandbox/community.mts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server.mts';

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

it('is back to that after a reset, and after starting over without giving an identifier twice', () => {
	const community = new Community(options);
	const before = dump(community);
	const changed = () => {
		community.promote(120, 22);
		community.removeUser(121);
		community.boards.clear();
		return community.join();
	};
	const first = changed();
	community.reset();
	expect(dump(community)).toBe(before);
	const second = changed();
	expect(second.msid).toBe(first.msid);
	community.startOver();
	expect(dump(community)).toBe(before);
	expect(community.join().user_id).toBeGreaterThan(second.user_id);
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

it('says which port is taken', async () => {
	const first = await start({});
	const port = Number(new URL(first.baseUrl).port);
	await expect(start({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
