import { picture, useEditor } from '../support/browser.mts';
import { Canvas } from '../support/canvas.mts';
import { useStage } from '../support/use-stage.mts';
import { saveWorkflow } from '../support/workflow.mts';

const scenery = useStage();

const NOTHING_CHOSEN = { __rl: true, mode: 'list', value: '' };

describe('Choosing from the lists of the API', () => {
	const { scene } = useEditor(scenery);

	scene('a member and a role, after searching and scrolling: the member gets it', async (page) => {
		const { sandbox } = scenery;
		const workflow = await saveWorkflow(scenery, 'Give a role', [
			{
				name: 'Give Role',
				parameters: {
					resource: 'user',
					operation: 'updateRole',
					userId: NOTHING_CHOSEN,
					roleId: NOTHING_CHOSEN,
				},
			},
		]);
		const view = await (await Canvas.open(page, scenery, workflow)).openNode('Give Role');

		const users = view.picker('userId');
		await users.open();
		const onFirstPage = await users.entries.count();
		await picture(page, 'picker');
		await users.loadMore();
		expect(await users.entries.count()).toBeGreaterThan(onFirstPage);

		const member = sandbox.community.members(10, 'name', 'asc').at(-1)!;
		await users.search(member.username);
		await users.choose(`${member.first_name} (${member.username})`);
		const roles = view.picker('roleId');
		await roles.open();
		// The API gives all roles at once, so there is nothing to scroll for.
		expect(await roles.entries.count()).toBe(sandbox.community.roles.size);
		await roles.search('champ');
		expect(await roles.entries.allInnerTexts()).toEqual(['Champion']);
		await roles.choose('Champion');
		expect([await users.chosen(), await roles.chosen()]).toEqual([
			`${member.first_name} (${member.username})`,
			'Champion',
		]);

		await view.execute();
		expect(await view.itemCount()).toBe('1 item');
		expect(sandbox.community.user(member.msid).role_id).toBe(22);
		await picture(page, 'role-given');
	});

	scene('a tag, after scrolling and searching: its details come out', async (page) => {
		const workflow = await saveWorkflow(scenery, 'Read a tag', [
			{
				name: 'Read Tag',
				parameters: { resource: 'tag', operation: 'get', tagId: NOTHING_CHOSEN },
			},
		]);
		const view = await (await Canvas.open(page, scenery, workflow)).openNode('Read Tag');

		const tags = view.picker('tagId');
		await tags.open();
		await tags.loadMore();
		await tags.search('webhooks');
		await tags.choose('WebhooksTips');
		await view.execute();

		expect(await view.itemCount()).toBe('1 item');
		await view.output.getByText('webhookstips', { exact: true }).first().waitFor();
	});
});
