import { byId, useSandbox } from '../support/community.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox();
const headline = '={{ $json.headline }}';

test('Retry On Fail runs the whole node again, for all items', async () => {
	const author = [...sandbox.community.users.values()][0].msid;
	const [boardId] = sandbox.community.boards.keys();
	sandbox.faults.add({
		method: 'POST',
		path: '/api/v1/posts',
		times: 1,
		kind: 'status',
		status: 400,
	});
	const { items, error } = await runNode(
		sandbox,
		{
			resource: 'post',
			operation: 'create',
			boardId: byId(boardId),
			headline,
			content: 'Hello',
			author: byId(author),
		},
		{ items: [{ headline: 'One' }, { headline: 'Two' }], maxTries: 2 },
	);
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.headline)).toEqual(['One', 'Two']);
	expect(sandbox.requests.all.map(({ status }) => status)).toEqual([400, 200, 200]);
});
