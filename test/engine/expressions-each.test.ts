import type { INodeParameters } from 'n8n-workflow';
import { useSandbox } from '../support/community.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox({ members: 10 });
const IMAGE = 'https://images.example/same.png';
const items = Array.from({ length: 5 }, (_, number) => ({ number }));
const bodies = (method: string) => sandbox.requests.matching(method).map(({ body }) => body);

async function createTags(additionalFields: INodeParameters): Promise<void> {
	const tag = { resource: 'tag', operation: 'create', name: '=Tag {{ $json.number }}' };
	const { error } = await runNode(sandbox, { ...tag, additionalFields }, { items });
	expect(error).toBeUndefined();
}

it('a collection with an expression in it is read again for each item', async () => {
	await createTags({ description: '=Number {{ $json.number }}', image: IMAGE });
	expect(bodies('POST')).toEqual(
		items.map(({ number }) => ({
			...{ name: `Tag ${number}`, description: `Number ${number}`, image: IMAGE },
		})),
	);
});

it('each item sends its own values beside those that all share', async () => {
	const [joins, ...others] = sandbox.community.members(10, 'joined', 'asc').map(({ msid }) => msid);
	const [first, second] = sandbox.community.boards.keys();
	const parameters: INodeParameters = {
		...{ resource: 'board', operation: 'updateMembers' },
		boardId: { __rl: true, mode: 'id', value: '={{ $json.board }}' },
		membersInput: 'text',
		addMembers: joins,
		removeMembers: '={{ $json.leaves }}',
	};
	const changes = [
		{ board: first, leaves: others[0] },
		{ board: second, leaves: others[1] },
	];
	const { error } = await runNode(sandbox, parameters, { items: changes });
	expect(error).toBeUndefined();
	expect(bodies('PUT')).toEqual(
		changes.map(({ leaves }) => ({ member_changes: { [joins]: true, [leaves]: false } })),
	);
});
