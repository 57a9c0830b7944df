import { picture, useEditor } from '../support/browser.mts';
import { Canvas } from '../support/canvas.mts';
import { useStage } from '../support/use-stage.mts';
import { saveWorkflow } from '../support/workflow.mts';

const scenery = useStage({ webhookSecret: 'a long random text' });

describe('Triggers in the editor', () => {
	const { scene } = useEditor(scenery);

	scene('the webhook trigger says where its URL has to be entered', async (page) => {
		const workflow = await saveWorkflow(scenery, 'Welcome', [
			{ name: 'Member Joined', type: 'communityPlatformTrigger' },
		]);
		const view = await (await Canvas.open(page, scenery, workflow)).openNode('Member Joined');

		await expect(view.window.getByTestId('trigger-header').innerText()).resolves.toContain(
			'Get events from your community',
		);
		const points = view.window.getByTestId('node-parameters').getByRole('listitem');
		expect(await points.allInnerTexts()).toEqual([
			expect.stringContaining("enter this trigger's production URL"),
			expect.stringContaining('X-Webhook-Secret'),
			expect.stringContaining('Community Platform Polling Trigger'),
		]);
		await view.window.getByText('When will this node trigger my flow?').click();
		await view.window.getByText('This trigger has two URLs.').waitFor();
		await picture(page, 'trigger');

		await view.window.getByTitle('Click to display webhook URLs').click();
		await view.window.getByText('Production URL', { exact: true }).click();
		await view.window
			.getByText(/\/webhook\/[0-9a-f-]{36}/)
			.first()
			.waitFor();
		await picture(page, 'trigger-url');
	});

	scene('the polling trigger shows the newest members when it is tried', async (page) => {
		const workflow = await saveWorkflow(scenery, 'New members', [
			{ name: 'New Members', type: 'communityPlatformPollingTrigger' },
		]);
		const view = await (await Canvas.open(page, scenery, workflow)).openNode('New Members');
		await picture(page, 'polling-trigger');

		await view.execute();

		expect(await view.itemCount()).toMatch(/^\d+ items?$/);
		await view.output.getByText('user_status_name').first().waitFor();
		await picture(page, 'polling-trigger-run');
	});
});
