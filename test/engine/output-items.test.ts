import type { INodeParameters } from 'n8n-workflow';
import { byId, useSandbox } from '../support/community.mts';
import { ADA, addKnownRecords, GRACE, STILL } from '../support/known.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox(STILL);
beforeEach(() => addKnownRecords(sandbox));

interface Acknowledged {
	operation: string;
	parameters: INodeParameters;
	identifier: object;
}

const acknowledged: Acknowledged[] = [
	{
		operation: 'board.reorder',
		parameters: { orderInput: 'json', displayOrder: '{ "3": 1, "2": 2 }' },
		identifier: { display_order: { '3': 1, '2': 2 } },
	},
	{
		operation: 'board.updateMembers',
		parameters: { boardId: byId('900'), membersInput: 'text', addMembers: ADA },
		identifier: { board_id: 900, added: [ADA], removed: [] },
	},
	{
		operation: 'user.updateRole',
		parameters: { userId: byId(ADA), roleId: byId('5') },
		identifier: { msid: ADA, role_id: 5, success: true },
	},
];

describe.each(acknowledged)('$operation', ({ operation: key, parameters, identifier }) => {
	const [resource, operation] = key.split('.');
	const run = async () => await runNode(sandbox, { resource, operation, ...parameters });

	it('gives the acknowledgement and what was acted on', async () => {
		const { items } = await run();
		expect(items).toEqual([{ json: { ...identifier, message: 'OK' }, pairedItem: { item: 0 } }]);
	});

	it('gives success when the answer is empty', async () => {
		sandbox.settings.emptyAnswers = true;
		const { items } = await run();
		expect(sandbox.requests.statuses).toEqual({ 204: 1 });
		expect(items).toEqual([{ json: { ...identifier, success: true }, pairedItem: { item: 0 } }]);
	});
});

const replaced: Acknowledged[] = [
	{
		operation: 'board.update',
		parameters: { boardId: byId('900'), updateFields: { about: 'New' } },
		identifier: { board_id: 900 },
	},
	{
		operation: 'comment.update',
		parameters: { commentId: '9200', content: 'New' },
		identifier: { comment_id: 9200 },
	},
	{
		operation: 'tag.upsert',
		parameters: { name: 'release' },
		identifier: { name: 'release', created: false },
	},
];

it.each(replaced)(
	'$operation gives an acknowledgement as it is where the record was expected',
	async ({ operation: key, parameters, identifier }) => {
		const [resource, operation] = key.split('.');
		sandbox.faults.add({ kind: 'text', text: '{"message":"OK"}', method: 'PUT' });
		const { items } = await runNode(sandbox, { resource, operation, ...parameters });
		expect(items).toEqual([{ json: { ...identifier, message: 'OK' }, pairedItem: { item: 0 } }]);
	},
);

describe('an answer without content', () => {
	const requests: Array<[INodeParameters, object]> = [
		[{ resource: 'tag', operation: 'create', name: 'New' }, {}],
		[
			{ resource: 'comment', operation: 'update', commentId: '9200', content: 'New' },
			{ comment_id: 9200 },
		],
	];
	const bodies = ['', 'null', '{}'];
	const cases = requests.flatMap(([parameters, named]) =>
		bodies.map((text) => ({ text, parameters, named })),
	);

	it.each(cases)(
		'($text) becomes success: $parameters.resource $parameters.operation',
		async (each) => {
			sandbox.faults.add({ kind: 'text', text: each.text, times: 1 });
			const { items, error } = await runNode(sandbox, each.parameters);
			expect(error).toBeUndefined();
			expect(items).toEqual([{ json: { ...each.named, success: true }, pairedItem: { item: 0 } }]);
		},
	);
});

describe('items', () => {
	it('are paired with the input item that caused them, also many of one', async () => {
		const { items } = await runNode(
			sandbox,
			{ resource: 'tag', operation: 'search', query: '={{ $json.query }}', limit: 3 },
			{ items: [{ query: 'release' }, { query: 'nothing at all' }, { query: 'firststeps' }] },
		);
		expect(items.map(({ json, pairedItem }) => [json.name, pairedItem])).toEqual([
			['release', { item: 0 }],
			[expect.stringContaining('release'), { item: 0 }],
			[expect.stringContaining('release'), { item: 0 }],
			['firststeps', { item: 2 }],
		]);
	});

	it('keep the order of the input, whichever answer comes first', async () => {
		sandbox.faults.add({ kind: 'slow', delayMs: 80, path: `/api/v1/users/${ADA}`, times: 1 });
		const { items } = await runNode(
			sandbox,
			{ resource: 'user', operation: 'get', userId: byId('={{ $json.id }}') },
			{ items: [{ id: ADA }, { id: GRACE }, { id: 101 }] },
		);
		expect(items.map(({ json, pairedItem }) => [json.user_id, pairedItem])).toEqual([
			[9001, { item: 0 }],
			[9002, { item: 1 }],
			[101, { item: 2 }],
		]);
	});

	it('hold the record alone: nothing of the input, no binary, no error beside it', async () => {
		const { items } = await runNode(
			sandbox,
			{ resource: 'role', operation: 'getAll', limit: 1 },
			{ items: [{ secret: 'of the input' }] },
		);
		expect(items).toEqual([
			{
				json: {
					...{ role_id: 1, role_name: 'Admin', role_details: 'Runs the community' },
					is_default: false,
				},
				pairedItem: { item: 0 },
			},
		]);
	});
});
