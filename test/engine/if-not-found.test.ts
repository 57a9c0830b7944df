import { byId, byMode } from '../support/community.mts';
import { useMembers } from '../support/named-members.mts';
import { action, getNamed } from '../support/operations.mts';

const { sandbox, run, active } = useMembers();

describe('a member who is not found', () => {
	const leaveOut = { ifNotFound: 'leaveOut' };

	it.each([
		['email', 'nobody@members.example'],
		['username', 'nobody_at_all'],
		['id', '99999.abc'],
	])('by %s is reported as missing, and can be skipped', async (mode, name) => {
		const [{ msid, ...known }] = active();
		const rows = [{ name }, { name: mode === 'id' ? msid : known[mode as 'email'] }];
		const failed = await run(getNamed(mode), rows, { onError: 'continueRegularOutput' });
		if (mode !== 'id') expect(failed.items[0].json.details).toEqual({ notFound: 'user' });
		const { items, hints, error } = await run(getNamed(mode, leaveOut), rows);
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { msid }, pairedItem: { item: 1 } }]);
		expect(hints).toContain(
			`1 member was not found, so the node left them out: ${name}. Check the spelling.`,
		);
	});

	it('is not skipped if the look-up was incomplete', async () => {
		sandbox.faults.add({ kind: 'status', status: 403, path: `/api/v1/users/${active()[5].msid}` });
		const { error } = await run(getNamed('email', leaveOut), [{ name: 'nobody@members.example' }]);
		expect(error?.message).toBe("No member has the email address 'nobody@members.example'");
	});

	it('is reported like a board, tag or role that is not found', async () => {
		const named = byMode('name', 'Nope');
		for (const [parameters, notFound] of [
			[action('board.get', { boardId: named }), 'board'],
			[action('tag.get', { tagId: named }), 'tag'],
			[action('user.updateRole', { userId: byId(active()[0].msid), roleId: named }), 'role'],
		] as const) {
			const { items } = await run(parameters, undefined, { onError: 'continueRegularOutput' });
			expect(items[0].json.details).toMatchObject({ notFound });
		}
	});
});
