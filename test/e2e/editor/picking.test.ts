import { picture, useEditor } from '../support/browser.mts';
import { Canvas } from '../support/canvas.mts';
import { useStage } from '../support/use-stage.mts';
import { saveWorkflow } from '../support/workflow.mts';

const scenery = useStage();

const WELCOME = { resource: 'post', operation: 'create', headline: 'Hello', content: 'All of you' };

describe('Saying who and where without knowing a number', () => {
	const { scene } = useEditor(scenery);

	scene('a board by its name, oneself as the author: nothing else is asked', async (page) => {
		const { community } = scenery.sandbox;
		const workflow = await saveWorkflow(scenery, 'Write a post', [
			{ name: 'Write Post', parameters: WELCOME },
		]);
		const view = await (await Canvas.open(page, scenery, workflow)).openNode('Write Post');

		expect(await view.picker('author').chosen()).toBe('Me (Owner of the API Key)');
		const board = view.picker('boardId');
		// n8n has its own word for the first one.
		expect(await board.modes()).toEqual(['From list', 'By Name', 'By ID']);
		await board.switchTo('By Name');
		await board.type('introductions');
		await picture(page, 'by-name');
		await view.execute();

		expect(await view.itemCount()).toBe('1 item');
		const post = [...community.posts.values()].at(-1)!;
		expect(post).toMatchObject({ headline: 'Hello', author_id: community.callerId });
		expect(community.boards.get(post.board_id)?.board_name).toBe('Introductions');
	});

	scene('a name that does not exist: the nearest ones are named', async (page) => {
		const workflow = await saveWorkflow(scenery, 'Write a post', [
			{
				name: 'Write Post',
				parameters: { ...WELCOME, boardId: { __rl: true, mode: 'name', value: 'Introduction' } },
			},
		]);
		const view = await (await Canvas.open(page, scenery, workflow)).openNode('Write Post');

		await view.execute();

		const { message, description } = await view.failure();
		expect(message).toContain("No board is named 'Introduction'");
		expect(description).toContain("'Introductions'");
		expect(description).toContain('Nothing was changed.');
		await picture(page, 'nearest-names');
		expect(scenery.sandbox.requests.matching('POST')).toEqual([]);
	});

	scene('oneself is the first of the authors', async (page) => {
		const workflow = await saveWorkflow(scenery, 'Write a post', [
			{
				name: 'Write Post',
				parameters: { ...WELCOME, author: { __rl: true, mode: 'list', value: '' } },
			},
		]);
		const view = await (await Canvas.open(page, scenery, workflow)).openNode('Write Post');

		const authors = view.picker('author');
		await authors.open();
		expect(await authors.entries.first().innerText()).toBe('Me (Owner of the API Key)');
		await authors.choose('Me (Owner of the API Key)');
		expect(await authors.chosen()).toBe('Me (Owner of the API Key)');
	});

	scene('members of a board, one row after another', async (page) => {
		const { community } = scenery.sandbox;
		const board = [...community.boards.values()].find(({ is_private }) => is_private)!;
		const workflow = await saveWorkflow(scenery, 'Admit a member', [
			{
				name: 'Update Members',
				parameters: {
					...{ resource: 'board', operation: 'updateMembers', membersInput: 'list' },
					boardId: { __rl: true, mode: 'id', value: String(board.board_id) },
				},
			},
		]);
		const view = await (await Canvas.open(page, scenery, workflow)).openNode('Update Members');

		await view.parameters.getByText('Add Row', { exact: true }).click();
		const member = community.members(10, 'name', 'asc')[0];
		const users = view.picker('userId');
		await users.open();
		await users.search(`@${member.username}`, member.username);
		await users.choose(`${member.first_name} (${member.username})`);
		await picture(page, 'member-rows');
		await view.execute();

		expect(await view.itemCount()).toBe('1 item');
		expect(community.boardMembers.get(board.board_id)?.has(member.msid)).toBe(true);
	});
});

describe('What an update would clear', () => {
	const { scene } = useEditor(scenery);

	scene('is said before, refused when run, and cleared only on request', async (page) => {
		const { community } = scenery.sandbox;
		const { msid } = community.addUser({ first_name: 'Ada', last_name: 'Lovelace' });
		const workflow = await saveWorkflow(scenery, 'Change a user', [
			{
				name: 'Update User',
				parameters: {
					...{ resource: 'user', operation: 'update' },
					userId: { __rl: true, mode: 'id', value: msid },
					updateFields: { userDescription: 'Counts' },
				},
			},
		]);
		const view = await (await Canvas.open(page, scenery, workflow)).openNode('Update User');

		await view.parameters.getByText(/These fields it does not show/).waitFor();
		await view.execute();
		const { message, description } = await view.failure();
		expect(message).toContain('"Last Name"');
		expect(description).toContain('"May Be Cleared"');
		await picture(page, 'refused-to-clear');
		expect(community.user(msid).last_name).toBe('Lovelace');
		expect(scenery.sandbox.requests.matching('PUT')).toEqual([]);

		await view.choose('hiddenFields', 'May Be Cleared');
		await view.execute();
		await view.output.getByText(/may have been cleared/).waitFor();
		expect(await view.itemCount()).toBe('1 item');
		expect(community.user(msid)).toMatchObject({ user_description: 'Counts', last_name: null });
		await picture(page, 'cleared');

		await view.parameters.getByTestId('collection-parameter-add').first().click();
		const added = page.getByTestId('collection-parameter-option');
		await added.filter({ hasText: 'All Hidden Fields' }).click();
		for (const name of ['banner', 'lang', 'lastName', 'middleName', 'timezone', 'withoutValue']) {
			await view.parameter(name).first().waitFor();
		}
		await picture(page, 'all-hidden-fields');

		// What is only left empty there is not cleared.
		await view.choose('hiddenFields', 'Has to Be Given');
		await view.execute();
		expect((await view.failure()).message).toContain('"Last Name"');
		expect(scenery.sandbox.requests.matching('PUT')).toHaveLength(1);
	});
});
