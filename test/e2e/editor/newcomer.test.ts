import { picture, useEditor } from '../support/browser.mts';
import { Canvas } from '../support/canvas.mts';
import { clippedTexts } from '../support/clipped.mts';
import { CredentialForm } from '../support/credential-form.mts';
import { NodeView } from '../support/node-view.mts';
import { useFixture } from '../support/use-fixture.mts';

// Without a credential in n8n, like a newcomer.
const fixture = useFixture({ withCredential: false });

describe('A newcomer', () => {
	const browserTest = useEditor(fixture);

	browserTest('finds the node and the triggers by name and by topic', async (page) => {
		const canvas = await Canvas.open(page, fixture);
		for (const words of [
			...['community platform', 'forum', 'member', 'users', 'welcome', 'waitlist', 'wait-list'],
			...['sign up', 'new member', 'somebody joins'],
		]) {
			await canvas.search(words);
			// The action node and the webhook trigger share an entry.
			await canvas.creatorItem('Community Platform').waitFor();
			await canvas.creatorItem('Community Platform Polling Trigger').waitFor();
			await canvas.search('');
			await canvas.creatorItem('Community Platform').waitFor({ state: 'detached' });
		}
		await canvas.search('member');
		await canvas.creatorItem('Community Platform').click();
		await canvas.creatorItem('On member joined').waitFor();
		await canvas.creatorItem('On member joined wait-list').waitFor();
	});

	browserTest('adds the node, and creates a credential that n8n tests', async (page) => {
		const { baseUrl, apiKey } = fixture.sandbox;
		const canvas = await Canvas.open(page, fixture);
		await canvas.search('community');
		await canvas.creatorItem('Community Platform').click();
		await page.getByText(/^Actions \(\d+\)$/).click();
		await canvas.creatorItem('Get many members').waitFor();
		await picture(page, 'actions');
		await canvas.creatorItem('Get many members').click();
		const view = await NodeView.opened(page);

		const form = await CredentialForm.open(page);
		expect(await clippedTexts(form.window)).toEqual([]);
		await picture(page, 'credential');
		await form.fill({ baseUrl: 'my community', apiKey });
		await expect(form.save()).resolves.toMatchObject({
			status: 'Error',
			message: expect.stringContaining("'Base URL' is not a web address"),
		});
		await form.fill({ baseUrl, apiKey: 'not the key' });
		const refused = await form.save();
		expect(refused).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/^The community did not accept this key\. Check 'API Key'/),
		});
		await form.window.getByText('More details').click();
		await expect(form.window.innerText()).resolves.toContain(refused.message);

		await form.fill({ apiKey });
		await expect(form.save()).resolves.toMatchObject({ status: 'OK' });
		await form.window.waitFor({ state: 'hidden' });
		await view.execute();
		expect(await view.itemCount()).toBe('50 items');
	});
});
