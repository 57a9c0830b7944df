import { picture, useEditor } from '../support/browser.mts';
import { Canvas } from '../support/canvas.mts';
import { LogsPanel } from '../support/logs-panel.mts';
import { useFixture } from '../support/use-fixture.mts';
import { saveWorkflow } from '../support/workflow.mts';
import { action } from '../../support/operations.mts';

const COUNT = 30;
/** A common screen of a laptop. */
const LAPTOP = { width: 1440, height: 900 };
/** How far up the panel is dragged, below the names of the nodes. */
const TOP = 330;
const CHAMPION = { __rl: true, mode: 'list', value: '22', cachedResultName: 'Champion' };

const fixture = useFixture();

describe('A dry run', () => {
	const browserTest = useEditor(fixture);

	browserTest('of thirty role changes shows twelve of them at a glance', async (page) => {
		const members = { limit: COUNT, options: { fields: ['username'] } };
		const userId = { __rl: true, mode: 'username', value: '={{ $json.username }}' };
		const options = { dryRun: true };
		const workflow = await saveWorkflow(fixture, 'Give a role', [
			{ name: 'Usernames', parameters: action('user.getAll', members) },
			{
				name: 'Update Role',
				parameters: action('user.updateRole', { userId, roleId: CHAMPION, options }),
			},
		]);
		await page.setViewportSize(LAPTOP);
		const canvas = await Canvas.open(page, fixture, workflow);
		await canvas.run();
		const logs = await LogsPanel.open(page, 'Update Role');
		try {
			await logs.enlarge(TOP);
			await picture(page, 'dry-run');
			expect(await logs.rowsInSight()).toBeGreaterThanOrEqual(12);
		} finally {
			await logs.forget();
		}
	});
});
