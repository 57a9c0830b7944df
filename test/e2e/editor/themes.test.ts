import { picture, useEditor } from '../support/browser.mts';
import { Canvas } from '../support/canvas.mts';
import { CredentialForm } from '../support/credential-form.mts';
import { iconIn } from '../support/icons.mts';
import { useFixture } from '../support/use-fixture.mts';
import { saveWorkflow } from '../support/workflow.mts';

const fixture = useFixture();

const MEMBER = { __rl: true, mode: 'id', value: '={{ $json.msid }}' };
const CHAMPION = { __rl: true, mode: 'list', value: '22', cachedResultName: 'Champion' };

for (const [theme, file] of [
	['light', 'community-platform.svg'],
	['dark', 'community-platform.dark.svg'],
] as const) {
	describe(`With the ${theme} theme`, () => {
		const browserTest = useEditor(fixture, theme);
		const icon = { file, isDrawn: true };

		browserTest(`the icon is shown everywhere`, async (page) => {
			const user = { resource: 'user', userId: MEMBER };
			const workflow = await saveWorkflow(fixture, 'Promote new members', [
				{ name: 'Member Joined', type: 'communityPlatformTrigger' },
				{ name: 'New Members', type: 'communityPlatformPollingTrigger' },
				{ name: 'Read Member', parameters: { ...user, operation: 'get' } },
				{ name: 'Give Role', parameters: { ...user, operation: 'updateRole', roleId: CHAMPION } },
			]);
			const canvas = await Canvas.open(page, fixture, workflow);
			const names = ['Give Role', 'New Members', 'Member Joined'];
			for (const name of names) expect(await iconIn(canvas.node(name))).toEqual(icon);
			await picture(page, `canvas-${theme}`);

			await canvas.search('community');
			for (const entry of ['Community Platform', 'Community Platform Polling Trigger']) {
				expect(await iconIn(canvas.creatorEntry(entry))).toEqual(icon);
			}
			await canvas.closeCreator();

			for (const name of names) {
				const view = await canvas.openNode(name);
				expect(await iconIn(view.header)).toEqual(icon);
				if (name !== names.at(-1)) await view.close();
			}
			const form = await CredentialForm.reopen(page);
			expect(await iconIn(form.window)).toEqual(icon);
		});
	});
}
