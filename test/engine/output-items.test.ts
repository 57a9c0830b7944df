import { checkedIn, schemaFile } from '../../dev/scripts/schema-files.mts';
import type { INodeParameters } from 'n8n-workflow';
import { byId } from '../support/community.mts';
import { ADA, useKnownRecords } from '../support/known-records.mts';
import { runNode } from '../support/engine.mts';
import { action } from '../support/operations.mts';

describe('The contents of an item', () => {
	const sandbox = useKnownRecords();

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
			identifier: { board_id: 900, msid: ADA, added: [ADA] },
		},
		{
			operation: 'user.updateRole',
			parameters: { userId: byId(ADA), roleId: byId('5') },
			identifier: { msid: ADA, role_id: 5, success: true },
		},
	];

	describe.each(acknowledged)('$operation', ({ operation: key, parameters, identifier }) => {
		const run = async () => await runNode(sandbox, action(key, parameters));

		it('returns the acknowledgement and the ID of the record', async () => {
			const { items } = await run();
			expect(items).toEqual([{ json: { ...identifier, message: 'OK' }, pairedItem: { item: 0 } }]);
			// The preview in the editor contains all of it.
			const { properties } = JSON.parse(checkedIn().get(schemaFile(key)) ?? '');
			expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(items[0].json)));
		});

		it('returns success if the answer is empty', async () => {
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
			identifier: { tag_id: 501, name: 'release', created: false },
		},
	];

	it.each(replaced)(
		'$operation returns an acknowledgement unchanged instead of the expected record',
		async ({ operation: key, parameters, identifier }) => {
			sandbox.faults.add({ kind: 'text', text: '{"message":"OK"}', method: 'PUT' });
			const { items } = await runNode(sandbox, action(key, parameters));
			expect(items).toEqual([{ json: { ...identifier, message: 'OK' }, pairedItem: { item: 0 } }]);
		},
	);

	it('is success if the answer to a create is empty', async () => {
		sandbox.faults.add({ kind: 'text', text: '', method: 'POST' });
		const { items } = await runNode(sandbox, action('tag.create', { name: 'New' }));
		expect(items).toEqual([{ json: { success: true }, pairedItem: { item: 0 } }]);
	});

	it('items contain only the record, without input, binary data or an error', async () => {
		const { items } = await runNode(sandbox, action('role.getAll', { limit: 1 }), {
			items: [{ secret: 'of the input' }],
		});
		expect(items).toEqual([
			{
				json: {
					role_id: 1,
					role_name: 'Admin',
					role_details: 'Runs the community',
					is_default: false,
				},
				pairedItem: { item: 0 },
			},
		]);
	});
});
