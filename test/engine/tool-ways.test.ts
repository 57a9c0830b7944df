import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { asked, byId } from '../support/community.mts';
import { ADA, useKnownRecords } from '../support/known-records.mts';
import { runNode } from '../support/engine.mts';
import { action } from '../support/operations.mts';

// The AI Agent of version 3 calls it so (docs/decisions.md, E25). The other way, as a sub-node, is in `tool-caller`.
const sandbox = useKnownRecords();

const decides = (name: string) => `={{ $fromAI('${name}') }}`;

async function call(tool: INodeParameters, args: IDataObject): Promise<string> {
	const { items, error } = await runNode(sandbox, tool, { items: [args], isTool: true });
	return error?.message ?? JSON.stringify(items.map(({ json }) => json));
}

describe('a tool that is called as an ordinary node of a workflow', () => {
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

	it('returns hints as items, and names of roles', async () => {
		const answer = await call(action('user.getAll', { limit: decides('limit') }), { limit: 1 });
		expect(JSON.parse(answer)).toEqual([
			expect.objectContaining({ role_name: expect.any(String) }),
			{ hint: "There may be more records than 'Limit' allows. To get them, raise 'Limit'." },
			{ hint: "Only active members are included. For others, add the filter 'Status'." },
		]);
	});

	it('returns reason and advice in the message', async () => {
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
