import type { Page } from 'playwright-core';
import { picture, useEditor } from '../support/browser.mts';
import { Canvas } from '../support/canvas.mts';
import { useStage } from '../support/use-stage.mts';
import { saveWorkflow } from '../support/workflow.mts';

const scenery = useStage();

const MEMBER = { __rl: true, mode: 'id', value: '={{ $json.msid }}' };

/** Where the icons of the package on the page come from. */
async function iconsOf(page: Page): Promise<string[]> {
	const sources = page.locator('img[src*="n8n-nodes-community-platform"]');
	await sources.first().waitFor();
	return await sources.evaluateAll((images) => [
		...new Set(images.map((image) => String(image.getAttribute('src')).split('/').at(-1)!)),
	]);
}

for (const [theme, icon] of [
	['light', 'community-platform.svg'],
	['dark', 'community-platform.dark.svg'],
] as const) {
	describe(`With the ${theme} theme`, () => {
		const { scene } = useEditor(scenery, { theme });

		scene(`the icon is the one for the ${theme} theme`, async (page) => {
			const workflow = await saveWorkflow(scenery, 'Promote active members', [
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
			expect(await iconsOf(page)).toEqual([icon]);
			await picture(page, `canvas-${theme}`);

			await canvas.openNode('Give Role');
			expect(await iconsOf(page)).toEqual([icon]);
			await picture(page, `node-${theme}`);
		});
	});
}
