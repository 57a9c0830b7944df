import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId, byMode } from '../support/community.mts';
import { useMembers } from '../support/named-members.mts';
import { action } from '../support/operations.mts';

const { sandbox, run, active, change, writes } = useMembers({ members: 30 });
const [ADMIN, MEMBER, CHAMPION] = [1, 10, 22];

/** The positions of the items that are returned, with 'failed' for one that failed. */
async function returned(parameters: INodeParameters, rows: IDataObject[]) {
	const options = { ...(parameters.options as INodeParameters), onlyChanged: true };
	const { items, hints } = await run({ ...parameters, options }, rows, {
		onError: 'continueRegularOutput',
	});
	const places = items.map(({ json, pairedItem }) => [
		(pairedItem as { item: number }).item,
		...('error' in json ? ['failed'] : []),
	]);
	return { places, hints };
}

describe('Return Only Changed', () => {
	it('of Create or Get returns new members', async () => {
		const [{ email }] = active();
		const rows = [email, 'ada@new.example', 'none', 'bob@new.example'].map((each) => ({
			email: each,
		}));
		const parameters = action('user.createOrGet', {
			firstName: 'Ada',
			email: '={{ $json.email }}',
		});
		const { places, hints } = await returned(parameters, rows);
		expect(places).toEqual([[1], [2, 'failed'], [3]]);
		expect(hints).toContain('2 created, 1 already existed.');
	});

	it.each([
		[{}, [[0], [2]], '2 changed: Member → Champion 1, Admin → Champion 1. 1 needed no change.', 2],
		[
			{ onlyFrom: [String(MEMBER)] },
			[[0]],
			'1 changed: Member → Champion 1. 1 needed no change.',
			1,
		],
		[{ dryRun: true }, [[0], [2]], 'be updated: Member → Champion 1, Admin → Champion 1.', 0],
	])('of Update Role returns members with another role than before: %j', async (...expected) => {
		const [options, places, hint, sent] = expected;
		const some = active().slice(0, 3);
		some.forEach((each, at) => change(each, { role_id: [MEMBER, CHAMPION, ADMIN][at] }));
		const parameters = action('user.updateRole', {
			userId: byId('={{ $json.msid }}'),
			roleId: byMode('name', 'Champion'),
			options: options as INodeParameters,
		});
		const done = await returned(
			parameters,
			some.map(({ msid }) => ({ msid })),
		);
		expect(done.places).toEqual(places);
		expect(done.hints.join(' ')).toContain(hint);
		expect(writes()).toHaveLength(sent);
	});

	it.each(['update', 'keep'])(
		'of Create or Update returns changed boards and tags: %s',
		async (ifExists) => {
			for (const [kind, name] of [
				['board', 'boardName'],
				['tag', 'name'],
			]) {
				const field = kind === 'board' ? 'about' : 'description';
				const upsert = action(`${kind}.upsert`, {
					[name]: '={{ $json.name }}',
					additionalFields: { [field]: '={{ $json.text }}' },
					options: { ifExists },
				});
				await run(upsert, [{ name: 'One', text: 'Old' }]);
				const rows = ['One', 'Two', 'one'].map((each, at) => ({
					name: each,
					text: ['Old', 'New', 'Newer'][at],
				}));
				const { places, hints } = await returned(upsert, rows);
				expect(places).toEqual(ifExists === 'keep' ? [[1]] : [[1], [2]]);
				expect(writes()).toHaveLength(places.length);
				expect(hints).toEqual([
					ifExists === 'keep'
						? '1 created, 2 already existed.'
						: '1 created, 1 updated, 1 needed no change.',
				]);
			}
			const { records } = { records: [...sandbox.community.boards.values()] };
			expect(records.find(({ board_name }) => board_name === 'One')).toMatchObject({
				about: ifExists === 'keep' ? 'Old' : 'Newer',
			});
		},
	);
});

describe('If the Board Exists: Keep', () => {
	const [name, { board_name }] = ['Announcements', { board_name: 'announcements ' }];
	const keep = (options: INodeParameters = {}) =>
		run(
			action('board.upsert', {
				boardName: board_name,
				additionalFields: { isPrivate: true, permissionFor: 10 },
				options: { ifExists: 'keep', ...options },
			}),
		);

	it('returns the board as it is, and sends nothing', async () => {
		const { items: read } = await run(action('board.get', { boardId: byMode('name', name) }));
		const { items, hints } = await keep();
		expect(items[0].json).toEqual({ ...read[0].json, created: false });
		expect([writes(), hints]).toEqual([[], []]);
	});

	it('plans no change in a dry run', async () => {
		const { items } = await keep({ dryRun: true });
		expect(items[0].json).toMatchObject({ action: 'none', change: 'nothing', changes: {} });
	});
});
