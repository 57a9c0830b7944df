import type { Locator } from 'playwright-core';
import { picture, useEditor } from '../support/browser.mts';
import { Canvas } from '../support/canvas.mts';
import { CredentialForm } from '../support/credential-form.mts';
import { iconIn } from '../support/icons.mts';
import { READABLE, readability } from '../support/readability.mts';
import { useStage } from '../support/use-stage.mts';
import { saveWorkflow } from '../support/workflow.mts';

const scenery = useStage();

const MEMBER = { __rl: true, mode: 'id', value: '={{ $json.msid }}' };
const UNKNOWN = { __rl: true, mode: 'id', value: '999999' };

async function expectReadable(text: Locator, theme: 'light' | 'dark'): Promise<void> {
	const { contrast, background } = await readability(text);
	expect(background).toBe(theme);
	expect(contrast).toBeGreaterThanOrEqual(READABLE);
}

for (const [theme, file] of [
	['light', 'community-platform.svg'],
	['dark', 'community-platform.dark.svg'],
] as const) {
	describe(`With the ${theme} theme`, () => {
		const { scene } = useEditor(scenery, { theme });
		const icon = { file, isDrawn: true };

		scene(`the icon is drawn everywhere, and is the one for the ${theme} theme`, async (page) => {
			const workflow = await saveWorkflow(scenery, 'Promote new members', [
				{ name: 'Member Joined', type: 'communityPlatformTrigger' },
				{ name: 'New Members', type: 'communityPlatformPollingTrigger' },
				{ name: 'Read Member', parameters: { resource: 'user', operation: 'get', userId: MEMBER } },
				{
					name: 'Give Role',
					parameters: {
						resource: 'user',
						operation: 'updateRole',
						userId: MEMBER,
						roleId: { __rl: true, mode: 'list', value: '22', cachedResultName: 'Champion' },
					},
				},
			]);
			const canvas = await Canvas.open(page, scenery, workflow);
			const names = ['Member Joined', 'New Members', 'Give Role'];
			for (const name of names) expect(await iconIn(canvas.node(name))).toEqual(icon);
			await picture(page, `canvas-${theme}`);

			await canvas.search('community');
			expect(await iconIn(canvas.creatorEntry('Community Platform'))).toEqual(icon);
			expect(await iconIn(canvas.creatorEntry('Community Platform Polling Trigger'))).toEqual(icon);
			await canvas.creatorItem('Community Platform').click();
			expect(await iconIn(canvas.creatorEntry('Get many users'))).toEqual(icon);
			await page.getByText(/^Triggers \(\d+\)$/).click();
			expect(await iconIn(canvas.creatorEntry('On member joined'))).toEqual(icon);
			await canvas.closeCreator();

			for (const name of names) {
				const view = await canvas.openNode(name);
				expect(await iconIn(view.header)).toEqual(icon);
				await expectReadable(view.parameters.locator('label'), theme);
				await picture(page, `${name}-${theme}`);
				if (name !== names.at(-1)) {
					await expectReadable(view.parameters.locator('.notice'), theme);
					await view.close();
				}
			}
			const form = await CredentialForm.reopen(page);
			expect(await iconIn(form.window)).toEqual(icon);
		});

		scene('what comes out can be read, be it items or what went wrong', async (page) => {
			const workflow = await saveWorkflow(scenery, 'Read a known and an unknown member', [
				{ name: 'List Members', parameters: { resource: 'user', operation: 'getAll', limit: 5 } },
				{
					name: 'Read Member',
					parameters: { resource: 'user', operation: 'get', userId: UNKNOWN },
				},
			]);
			const canvas = await Canvas.open(page, scenery, workflow);
			const view = await canvas.openNode('Read Member');
			await view.execute();
			expect((await view.failure()).message).toContain('No user has the id 999999');
			await expectReadable(view.window.getByTestId('node-error-message'), theme);
			await expectReadable(view.window.getByTestId('node-error-description'), theme);
			await expectReadable(view.input.getByText('user_status_name'), theme);
			await picture(page, `failure-${theme}`);
		});
	});
}
