import { until } from '../../../dev/tools/wait.mts';
import { picture, useEditor } from '../support/browser.mts';
import { Canvas } from '../support/canvas.mts';
import { useFixture } from '../support/use-fixture.mts';
import { saveWorkflow } from '../support/workflow.mts';
import { action } from '../../support/operations.mts';

const fixture = useFixture();

const WELCOME = { resource: 'post', operation: 'create', headline: 'Hello', content: 'All of you' };
const NOTHING_CHOSEN = { __rl: true, mode: 'list', value: '' };

describe('Choosing records', () => {
	const browserTest = useEditor(fixture);

	browserTest("from the API's lists, after searching and scrolling", async (page) => {
		const { community } = fixture.sandbox;
		const workflow = await saveWorkflow(fixture, 'Give a role', [
			{
				name: 'Give Role',
				parameters: action('user.updateRole', { userId: NOTHING_CHOSEN, roleId: NOTHING_CHOSEN }),
			},
		]);
		const view = await (await Canvas.open(page, fixture, workflow)).openNode('Give Role');

		const users = view.picker('userId');
		await users.open();
		const onFirstPage = await users.entries.count();
		await picture(page, 'picker');
		await users.loadMore();
		expect(await users.entries.count()).toBeGreaterThan(onFirstPage);
		const member = community.members(10, 'name', 'asc').at(-1)!;
		await users.search(member.username);
		await users.choose(`${member.first_name} (${member.username})`);
		const roles = view.picker('roleId');
		await roles.open();
		// The API returns all roles on one page, so the list does not scroll.
		expect(await roles.entries.count()).toBe(community.roles.size);
		await roles.search('champ');
		await roles.choose('Champion');
		expect([await users.chosen(), await roles.chosen()]).toEqual([
			`${member.first_name} (${member.username})`,
			'Champion',
		]);

		await view.execute();
		expect(await view.itemCount()).toBe('1 item');
		expect(community.user(member.msid).role_id).toBe(22);
	});

	browserTest(
		"a board by name, with similar names in the failure, and the key's owner as the author",
		async (page) => {
			const { community } = fixture.sandbox;
			const workflow = await saveWorkflow(fixture, 'Write a post', [
				{ name: 'Write Post', parameters: WELCOME },
			]);
			const view = await (await Canvas.open(page, fixture, workflow)).openNode('Write Post');

			expect(await view.picker('author').chosen()).toBe('Me (Owner of the API Key)');
			const board = view.picker('boardId');
			// n8n has its own word for the first one.
			expect(await board.modes()).toEqual(['From list', 'By Name', 'By ID']);
			await board.switchTo('By Name');
			await board.type('introduction');
			await view.execute();
			const { message, description } = await view.failure();
			expect(message).toContain("No board named 'introduction' was found");
			expect(description).toContain("'Introductions'");

			await board.type('introductions');
			await view.execute();
			const find = async () =>
				[...community.posts.values()].find(({ headline }) => headline === 'Hello');
			const post = await until('the post', find, 10_000);
			expect(post.author_id).toBe(community.callerId);
			expect(community.boards.get(post.board_id)?.board_name).toBe('Introductions');
		},
	);
});
