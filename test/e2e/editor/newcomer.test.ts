import { explainedCodes } from '../../support/connection-codes.mts';
import { picture, useEditor } from '../support/browser.mts';
import { Canvas } from '../support/canvas.mts';
import { clippedTexts } from '../support/clipped.mts';
import { CredentialForm } from '../support/credential-form.mts';
import { NodeView } from '../support/node-view.mts';
import { useStage } from '../support/use-stage.mts';

// Without a credential in n8n, which a newcomer does not have either.
const scenery = useStage({ withCredential: false });

describe('A new user of the package', () => {
	const { scene } = useEditor(scenery);

	scene('finds node and triggers by name and by what it is about', async (page) => {
		const canvas = await Canvas.open(page, scenery);
		const people = [
			...['member', 'users', 'welcome', 'waitlist', 'wait-list', 'wait list', 'sign up'],
			...['new member', 'member joined', 'somebody joins'],
		];
		for (const words of ['community platform', 'community', 'forum', ...people]) {
			await canvas.search(words);
			// One entry for the action node and the webhook trigger.
			await canvas.creatorItem('Community Platform').waitFor();
			await canvas.creatorItem('Community Platform Polling Trigger').waitFor();
			await canvas.search('');
			await canvas.creatorItem('Community Platform').waitFor({ state: 'detached' });
		}
		await canvas.search('member');
		await picture(page, 'search');
		const entry = canvas.creatorEntry('Community Platform');
		await entry
			.getByText(/members, boards, posts and tags, or start when a member joins$/)
			.waitFor();
		await canvas.creatorItem('Community Platform').click();
		await canvas.creatorItem('On member joined').waitFor();
		await canvas.creatorItem('On member joined the wait-list').waitFor();
		await picture(page, 'triggers');
	});

	scene('drops it, and creates a credential that n8n tries', async (page) => {
		const { sandbox } = scenery;
		const canvas = await Canvas.open(page, scenery);
		await canvas.search('community');
		await canvas.creatorItem('Community Platform').click();
		await page.getByText(/^Actions \(\d+\)$/).click();
		await canvas.creatorItem('Get many users').waitFor();
		await picture(page, 'actions');
		await canvas.creatorItem('Get many users').click();
		const view = await NodeView.opened(page);

		const form = await CredentialForm.open(page);
		expect(await clippedTexts(form.window)).toEqual([]);
		for (const help of [
			'the docs linked above explain it.',
			'You can find it on your profile page in the community',
			'Keep a copy: n8n will not show it again.',
		]) {
			expect(await form.window.getByText(help).isVisible()).toBe(true);
		}
		await picture(page, 'credential');
		const withHttps = sandbox.baseUrl.replace('http:', 'https:');
		await form.fill({ baseUrl: withHttps, apiKey: sandbox.apiKey });
		const { message: code } = await form.save();
		expect(explainedCodes().map((each) => each.code)).toContain(code);
		await form.showDetails();
		await picture(page, 'credential-unreachable');
		await form.fill({ baseUrl: sandbox.baseUrl, apiKey: 'not the key' });
		const refused = await form.save();
		expect(refused).toEqual({
			status: 'Error',
			message:
				'This key is not accepted. Check "API Key" and "Source System", and that "Base URL" is the address of your community.',
		});
		expect(await form.successNote.isVisible()).toBe(false);
		await expect(form.window.innerText()).resolves.toContain(refused.message);
		await picture(page, 'credential-refused');

		await form.fill({ apiKey: sandbox.apiKey });
		await expect(form.save()).resolves.toMatchObject({ status: 'OK' });
		await form.window.waitFor({ state: 'hidden' });
		await view.execute();
		expect(await view.itemCount()).toBe('50 items');
		await picture(page, 'first-run');

		// The form closed before its message could be read; opened again, it says that the connection works.
		const again = await CredentialForm.reopen(page);
		await again.successNote.waitFor();
		expect(await again.successNote.innerText()).toContain('Connection tested successfully');
		await picture(page, 'credential-accepted');
	});
});
