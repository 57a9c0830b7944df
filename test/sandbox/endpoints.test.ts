import { operations, undocumented } from '../../sandbox/openapi.mts';
import { wireCases } from '../engine/wire/cases.mts';
import { useBareSandbox } from '../support/community.mts';
import { addKnownRecords } from '../support/known-records.mts';
import { BOARD, call, type CallOptions } from './support.mts';

const sandbox = useBareSandbox();
const exercised = new Set<string>();

/** Sends a request, expects a documented success, and returns the answer's body. */
async function use(operationId: string, path: string, options: CallOptions = {}) {
	exercised.add(operationId);
	const method = operations.get(operationId)?.method ?? '';
	const answer = await call(sandbox, method, path, options);
	expect(undocumented(operationId, answer)).toEqual([]);
	expect(answer.status).toBeLessThan(300);
	return answer.data;
}

describe('boards', () => {
	it('replaces the whole record', async () => {
		const [before] = [...sandbox.community.boards.values()].filter(
			(each) => each.icon && each.about,
		);
		const path = `/api/v1/boards/${before.board_id}`;
		const read = await use('board.get', path);
		expect(read).toMatchObject({ icon: before.icon, about: before.about });
		const after = await use('board.update', path, { body: { ...BOARD, about: 'New' } });
		expect(after).toMatchObject({
			board_id: before.board_id,
			board_name: 'Gardening',
			about: 'New',
		});
		expect(after).not.toHaveProperty('icon');
		expect(await use('board.get', path)).toEqual(after);
	});

	it('gives and takes access, for all members or for none', async () => {
		const path = '/api/v1/boards/9/members';
		const [first, second] = [...sandbox.community.users.values()].map(({ msid }) => msid);
		const members = sandbox.community.boardMembers.get(9);
		members?.add(first);
		const body = { member_changes: { [first]: false, [second]: true } };
		expect(await use('board.updateMembers', path, { body })).toEqual({ message: 'OK' });
		expect([members?.has(first), members?.has(second)]).toEqual([false, true]);
		const refused = await call(sandbox, 'PUT', path, {
			body: { member_changes: { [second]: false, '999999.abc': true } },
		});
		expect([refused.status, members?.has(second)]).toEqual([404, true]);
	});
});

describe('users', () => {
	it('are listed by status, in an order', async () => {
		const query = { sort_by: 'name', order: 'desc', status: -3, page_size: 50 };
		const list: Array<{ user_id: number }> = await use('user.getAll', '/api/v1/users', { query });
		const users = list.map(({ user_id }) => sandbox.community.user(user_id));
		expect(users).toEqual(sandbox.community.members(-3, 'name', 'desc').slice(0, 50));
		expect(users.length).toBeGreaterThan(1);
	});
});

describe('posts, comments and replies', () => {
	it('are counted, also when a post moves to another board', async () => {
		const { community } = sandbox;
		const [author] = community.members(10, 'user_id', 'asc');
		const [first, other] = [community.boards.get(1), community.boards.get(2)];
		const counts = () => [first?.post_count, other?.post_count, author.post_count];
		const [a = 0, b = 0, c = 0] = counts();
		const body = { board_id: '1', headline: 'Hi', content: '<p>One</p>  <b>two</b>' };
		const create = { body: { ...body, authors: [author.msid] } };

		const post = await use('post.create', '/api/v1/posts', create);
		expect(post).toMatchObject({ board_id: 1, clean_text: 'One two', user: { msid: author.msid } });
		expect(counts()).toEqual([a + 1, b, c + 1]);
		const path = `/api/v1/posts/${post.post_id}`;
		await use('post.update', path, { body: { ...create.body, board_id: 2 } });
		expect(counts()).toEqual([a, b + 1, c + 1]);

		const comment = { post_id: post.post_id, content: 'Nice', author: author.msid };
		await use('comment.create', '/api/v1/comments', { body: comment });
		expect(await use('post.get', path)).toMatchObject({ comment_count: 1 });
	});
});

describe('tags', () => {
	it('lists them unsorted, sorted, and by ids', async () => {
		const ids = async (query: object) => {
			const list = await use('tag.getAll', '/api/v1/tags', { query: { page_size: 50, ...query } });
			return list.map((each: { tag_id: number }) => each.tag_id);
		};
		const first = Array.from({ length: 50 }, (_, index) => 501 + index);
		expect(await ids({ sort_by: 'id' })).toEqual(first);
		expect(await ids({})).not.toEqual(first);
		expect(await ids({})).toEqual(await ids({}));
		expect(await ids({ sort_by: 'id', ids: '510,505,99999' })).toEqual([505, 510]);
		const names = (await ids({ sort_by: 'name', order: 'desc' })).map(
			(id: number) => sandbox.community.tags.get(id)?.name,
		);
		expect(names).toEqual([...names].sort().reverse());
	});
});

describe('what the node sends is answered as documented', () => {
	const cases = wireCases.filter(({ operation }) => operations.has(operation));

	it.each(cases)('$operation: $does', async ({ operation, given, sends }) => {
		addKnownRecords(sandbox);
		given?.(sandbox);
		// Those before it look something up or read what is to be kept.
		const [method, url, body] = sends[sends.length - 1];
		expect(method).toBe(operations.get(operation)?.method);
		await use(operation, url, { body });
	});
});

// Last in the file, because the tests above use the operations.
it('has used every documented operation', () => {
	expect([...exercised].sort()).toEqual([...operations.keys()].sort());
});
