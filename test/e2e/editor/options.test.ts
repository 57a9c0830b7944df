import { byId, byMode } from '../../support/community.mts';
import { action } from '../../support/operations.mts';
import { useEditor } from '../support/browser.mts';
import { Canvas } from '../support/canvas.mts';
import { useFixture } from '../support/use-fixture.mts';
import { saveWorkflow } from '../support/workflow.mts';

// The search for an email address reads all members, so a small community keeps it short.
const fixture = useFixture({ members: 60 });

const [MODERATOR, MEMBER, CHAMPION, MENTOR] = [5, 10, 22, 23];

describe('Options', () => {
	const browserTest = useEditor(fixture);

	browserTest(
		'Only If Current Role Is keeps all other roles, and a hint names them',
		async (page) => {
			const { community } = fixture.sandbox;
			const members = community.members(10, 'joined', 'desc').slice(0, 3);
			const before = [MEMBER, MODERATOR, MENTOR];
			members.forEach(({ msid }, at) => community.changeUser(msid, { role_id: before[at] }));
			const promotion = { userId: byId('={{ $json.msid }}'), roleId: byId(String(CHAMPION)) };
			const workflow = await saveWorkflow(fixture, 'Promote members', [
				{ name: 'List Members', parameters: action('user.getAll', { limit: 3 }) },
				{ name: 'Give Role', parameters: action('user.updateRole', promotion) },
			]);
			const view = await (await Canvas.open(page, fixture, workflow)).openNode('Give Role');

			await view.addOption('Only If Current Role Is');
			// n8n disables the list until it has loaded the roles.
			const roles = view.parameter('onlyFrom');
			await roles.getByRole('combobox', { name: 'Select', disabled: false }).waitFor();
			await roles.click();
			for (const role of ['Member', 'Mentor']) await view.entry(role).click();
			await view.execute();

			const hint = `because it is not in 'Only If Current Role Is': ${members[1].username} stays Moderator.`;
			await view.output.getByText(hint).waitFor();
			expect(await view.itemCount()).toBe('3 items');
			await view.output.getByText('skipped_by', { exact: true }).waitFor();
			expect(await view.output.getByText('onlyFrom', { exact: true }).count()).toBe(1);
			expect(members.map(({ role_id }) => role_id)).toEqual([CHAMPION, MODERATOR, CHAMPION]);
		},
	);

	browserTest('If Not Found skips a member, and a hint names the address', async (page) => {
		const email = 'nobody@members.example';
		const workflow = await saveWorkflow(fixture, 'Find a member', [
			{ name: 'Read Member', parameters: action('user.get', { userId: byMode('email', email) }) },
		]);
		const view = await (await Canvas.open(page, fixture, workflow)).openNode('Read Member');

		await view.addOption('If Not Found');
		await view.choose('ifNotFound', 'Skip Member');
		await view.execute();

		await view.output
			.getByText(`1 member was not found, so the node left them out: ${email}. Check the spelling.`)
			.waitFor();
		await view.output.getByText('No output data returned').waitFor();
	});

	browserTest('Content Type publishes a text as HTML or as plain text', async (page) => {
		const { boards, posts, comments } = fixture.sandbox.community;
		const [[board], [post], [comment]] = [boards, posts, comments].map((all) => [...all.keys()]);
		const text = { content: 'Is 1 < 2?\nYes', simplify: false };
		for (const parameters of [
			action('post.create', { boardId: byId(String(board)), headline: 'Hello', ...text }),
			action('comment.create', { postId: String(post), ...text }),
			action('reply.create', { commentId: String(comment), ...text }),
		]) {
			const workflow = await saveWorkflow(fixture, 'Write', [{ name: 'Write', parameters }]);
			const view = await (await Canvas.open(page, fixture, workflow)).openNode('Write');
			for (const [type, content] of [
				// n8n shows a line break as "\n".
				['HTML', String.raw`Is 1 < 2?\nYes`],
				['Plain Text', 'Is 1 &lt; 2?<br>Yes'],
			]) {
				await view.choose('contentType', type);
				await view.execute();
				await view.output.getByText(content, { exact: true }).waitFor();
			}
		}
	});
});
