import { picture, useEditor } from '../support/browser.mts';
import { Canvas } from '../support/canvas.mts';
import { clippedTexts } from '../support/clipped.mts';
import { useStage } from '../support/use-stage.mts';
import { saveWorkflow } from '../support/workflow.mts';

const scenery = useStage({ webhookSecret: 'a long random text' });

describe('Triggers in the editor', () => {
	const scene = useEditor(scenery);

	scene('the webhook trigger says where its URL has to be entered', async (page) => {
		const workflow = await saveWorkflow(scenery, 'Welcome', [
			{ name: 'Member Joined', type: 'communityPlatformTrigger' },
		]);
		const view = await (await Canvas.open(page, scenery, workflow)).openNode('Member Joined');

		await expect(view.window.getByTestId('trigger-header').innerText()).resolves.toContain(
			"Enter the test URL in your community's webhook settings, then let somebody join",
		);
		// The editor drops most tags from a notice, and what they separated runs into one line.
		const steps = (await view.parameters.locator('.notice').innerText()).split(/\n+/);
		expect(steps.map((step) => step.slice(0, 3))).toEqual(['1. ', '2. ', '3. ']);

		expect(await clippedTexts(view.parameters)).toEqual([]);
		await view.window.getByTitle('Click to display webhook URLs').click();
		await view.window.getByText('Production URL', { exact: true }).click();
		const url = view.window.getByText(/\/webhook\/[0-9a-f-]{36}/);
		await url.first().waitFor();
		await picture(page, 'trigger-url');
	});

	scene('the polling trigger gives the newest member alone when it is tried', async (page) => {
		const workflow = await saveWorkflow(scenery, 'New members', [
			{ name: 'New Members', type: 'communityPlatformPollingTrigger' },
		]);
		const view = await (await Canvas.open(page, scenery, workflow)).openNode('New Members');
		await picture(page, 'polling-trigger');
		expect(await clippedTexts(view.parameters)).toEqual([]);

		await view.execute();
		expect(await view.itemCount()).toBe('1 item');
		await view.output.getByText('user_status_name').first().waitFor();

		// What the webhook trigger gives.
		await view.choose('output', 'Event');
		await view.parameter('simplify').waitFor({ state: 'detached' });
		await view.execute();
		await view.output
			.getByText(/^member\.joined:\d+\.\w+$/)
			.first()
			.waitFor();
	});
});
