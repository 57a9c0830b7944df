import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { asked, byId } from '../support/community.mts';
import { callUnchecked } from '../support/agent.mts';
import { ADA, useKnownRecords } from '../support/known-records.mts';
import { runNode } from '../support/engine.mts';
import { action } from '../support/operations.mts';

// n8n has several ways to call a tool (docs/decisions.md, E25). Each must pass the model's values to the node, and the
// node's output to the model.
const sandbox = useKnownRecords();

const decides = (name: string) => `={{ $fromAI('${name}') }}`;

/** The result for a model: the items as text, or the message of the failure. */
type CallTool = (tool: INodeParameters, args: IDataObject) => Promise<string>;

const runAsNode: CallTool = async (tool, args) => {
	const { items, error } = await runNode(sandbox, tool, { items: [args], isTool: true });
	return error?.message ?? JSON.stringify(items.map(({ json }) => json));
};

describe.each<[way: string, call: CallTool]>([
	[
		'by an agent or a server with it as a sub-node',
		async (tool, args) => (await callUnchecked(sandbox, tool, args))[0],
	],
	['as an ordinary node of a workflow', runAsNode],
])('A tool that is called %s', (_, call) => {
	it("applies the model's values, and keeps fields that it leaves empty", async () => {
		const tool = action('board.update', {
			boardId: byId(decides('board')),
			updateFields: {
				about: decides('about'),
				isPrivate: decides('private'),
				icon: decides('icon'),
			},
		});
		await call(tool, { board: 'insiders', about: 'News', private: '', icon: '""' });
		expect(sandbox.community.boards.get(900)).toMatchObject({
			about: 'News',
			is_private: true,
			icon: '',
		});
	});

	it('tells a model hints as items, and names of roles', async () => {
		const answer = await call(action('user.getAll', { limit: decides('limit') }), { limit: 1 });
		expect(JSON.parse(answer)).toEqual([
			expect.objectContaining({ role_name: expect.any(String) }),
			{ hint: "There may be more records than 'Limit' allows. To get them, raise 'Limit'." },
			{ hint: "Only active members are included. For others, add the filter 'Status'." },
		]);
	});

	it('tells a model reason and advice in the message', async () => {
		const tool = action('user.get', { userId: byId(decides('user')) });
		// No HTML is shown to a model, so the signs stay.
		await expect(call(tool, { user: 'Q&A/<1>' })).resolves.toMatch(
			/^'Q&A\/<1>' is not a member ID\. Enter a username, an email address or a member ID/,
		);
		expect(asked(sandbox)).toEqual([]);
		const refused = await call(tool, { user: '7777.unknown' });
		expect(refused).toMatch(/^No user has the id 7777\.unknown\. Check 'Member' \(7777\.unknown\)/);
		const found = await call(tool, { user: ADA });
		expect(found).toContain('"first_name":"Ada"');
	});
});
