// A part of this runs in the page.
/// <reference lib="dom" />
import { until } from '../../../dev/tools/wait.mts';
import { pastedWorkflow } from '../../support/examples.mts';
import { picture, useEditor } from '../support/browser.mts';
import { Canvas } from '../support/canvas.mts';
import { clippedTexts } from '../support/clipped.mts';
import { useFixture } from '../support/use-fixture.mts';
import { saveWorkflow } from '../support/workflow.mts';

const fixture = useFixture({ webhookSecret: 'a long random text' });

describe('Triggers in the editor', () => {
	const browserTest = useEditor(fixture);

	browserTest("the webhook trigger's notice says where to enter its URL", async (page) => {
		const workflow = await saveWorkflow(fixture, 'Welcome', [
			{ name: 'Member Joined', type: 'communityPlatformTrigger' },
		]);
		const view = await (await Canvas.open(page, fixture, workflow)).openNode('Member Joined');

		await expect(view.window.getByTestId('trigger-header').innerText()).resolves.toContain(
			"To try it once: enter the test URL in your community's webhook settings, then have a member join",
		);
		// The editor removes most tags from a notice, so its paragraphs become one line.
		const steps = (await view.parameters.locator('.notice').innerText()).split(/\n+/);
		expect(steps.map((step) => step.slice(0, 3))).toEqual(['1. ', '2. ', '3. ']);

		expect(await clippedTexts(view.parameters)).toEqual([]);
		await view.window.getByTitle('Click to display webhook URLs').click();
		await view.window.getByText('Production URL', { exact: true }).click();
		const url = view.window.getByText(/\/webhook\/[0-9a-f-]{36}/);
		await url.first().waitFor();
		await picture(page, 'trigger-url');
	});

	browserTest("the README's workflow posts once for a member, within 12 clicks", async (page) => {
		const { community, baseUrl } = fixture.sandbox;
		const context = page.context();
		await context.grantPermissions(['clipboard-read', 'clipboard-write']);
		let clicks = 0;
		await context.exposeFunction('clicked', () => clicks++);
		// A double click counts once.
		await context.addInitScript(() => {
			const note = ({ detail }: MouseEvent) => detail === 1 && Reflect.get(window, 'clicked')();
			addEventListener('click', note, { capture: true });
		});
		await page.reload();
		const canvas = await Canvas.open(page, fixture);
		const text = JSON.stringify(pastedWorkflow());
		await page.evaluate(async (copied) => await navigator.clipboard.writeText(copied), text);
		await page.keyboard.press('Control+V');

		const post = await canvas.openNode('Write Welcome Post');
		await post.window.getByText('Welcome, {{').first().waitFor();
		await picture(page, 'pasted');
		await post.picker('boardId').open();
		await post.picker('boardId').choose('Introductions');
		await page.keyboard.press('Escape');
		const trigger = await canvas.openNode('Member Joined');
		await trigger.window.getByTitle('Click to display webhook URLs').click();
		await trigger.window.getByText('Production URL', { exact: true }).click();
		await trigger.window
			.getByText(/\/webhook\/[0-9a-f-]{36}/)
			.first()
			.click();
		await page.keyboard.press('Escape');
		await page.getByTestId('workflow-open-publish-modal-button').click();
		await page.getByTestId('workflow-publish-button').click();
		await page.getByTestId('workflow-publish-button').waitFor({ state: 'hidden' });

		await page.goto(baseUrl);
		await page.getByLabel('Webhook address').focus();
		await page.keyboard.press('Control+V');
		await page.keyboard.press('Enter');
		await page.getByText('is told from now on.').waitFor();
		const before = community.posts.size;
		for (const count of [1, 2]) {
			await page.getByRole('button', { name: 'Let a member join', exact: true }).click();
			await until('the post', async () => community.posts.size >= before + count, 20_000);
		}
		expect(community.posts.size).toBe(before + 2);
		expect(clicks).toBeLessThanOrEqual(12);
	});

	browserTest(
		'the polling trigger returns only the newest member in a manual test',
		async (page) => {
			const workflow = await saveWorkflow(fixture, 'New members', [
				{ name: 'New Members', type: 'communityPlatformPollingTrigger' },
			]);
			const view = await (await Canvas.open(page, fixture, workflow)).openNode('New Members');
			await picture(page, 'polling-trigger');
			expect(await clippedTexts(view.parameters)).toEqual([]);

			await view.execute();
			expect(await view.itemCount()).toBe('1 item');
			await view.output.getByText('user_status_name').first().waitFor();

			// The output of the webhook trigger.
			await view.choose('output', 'Event');
			await view.parameter('simplify').waitFor({ state: 'detached' });
			await view.execute();
			await view.output
				.getByText(/^member\.joined:\d+\.\w+$/)
				.first()
				.waitFor();

			await view.choose('triggerOn', 'Member Changed or Left');
			await view.parameter('changes').getByText('Role', { exact: true }).waitFor();
			await view.execute();
			await view.output
				.getByText(/^example: /)
				.first()
				.waitFor();
			expect(await view.itemCount()).toBe('1 item');
		},
	);
});
