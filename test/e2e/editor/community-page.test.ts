import type { Page } from 'playwright-core';
import { importExample } from '../../../dev/n8n/examples.mts';
import { until } from '../../../dev/tools/wait.mts';
import { accessibleNodes, faintTexts, tabThrough } from '../support/accessibility.mts';
import { useActivation } from '../support/active.mts';
import { picture, useEditor } from '../support/browser.mts';
import { READABLE, readability } from '../support/readability.mts';
import { useStage } from '../support/use-stage.mts';

const SECRET = 'a long random text';
const MARKUP = '<img src="/nowhere" onerror="document.title = this.tagName">';
const OPERATED = ['button', 'textbox', 'searchbox'];

const scenery = useStage({ members: 120, webhookSecret: SECRET });
const { open } = useActivation(scenery);

async function look(page: Page): Promise<void> {
	await page.goto(scenery.sandbox.baseUrl);
	await page.getByText('Up to date').waitFor();
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const news = (page: Page, text: string | RegExp) =>
	page.getByRole('log').locator('p', { hasText: text }).first();
const rows = (page: Page, table: string) => page.locator(`#${table}-table tbody tr`);

for (const theme of ['light', 'dark'] as const) {
	describe(`The community's page, ${theme}`, () => {
		const { scene } = useEditor(scenery, { theme });

		scene('shows a member who joins, and the post that a workflow wrote', async (page) => {
			const { client, credential, sandbox } = scenery;
			const url = await open(await importExample(client, 'welcome-new-members', credential));
			const { posts } = sandbox.community;
			const { size } = posts;
			await look(page);

			await page.getByLabel('Webhook address').fill(url);
			await page.keyboard.press('Enter');
			await page.getByText(`${url} is told from now on.`).waitFor();
			await page.getByLabel('Who joins').fill('Ida Noor ida@members.example');
			await button(page, 'Let a member join').click();

			await news(page, 'Ida Noor joined as Member.').waitFor();
			await news(page, /of Ida Noor to .* was answered 200/).waitFor();
			await until('a post', async () => posts.size > size, 30_000);
			await news(page, 'New post in').waitFor();
			const { headline } = [...posts.values()].at(-1)!;
			await rows(page, 'posts').first().getByText(headline, { exact: true }).waitFor();
			await rows(page, 'members').first().getByText('ida@members.example').waitFor();
			await picture(page, `community-page-${theme}`, true);
			expect((await readability(page.locator('h1'))).background).toBe(theme);
			// A row of each table is enough.
			await page.getByLabel('Find in').fill('Ida Noor');
			await page.getByText('1 of 1 shown').first().waitFor();
			expect(await faintTexts(page, READABLE)).toEqual([]);
		});
	});
}

describe("The community's page", () => {
	const { scene } = useEditor(scenery);

	scene('names everything, and Tab leads to all of it, visibly', async (page) => {
		scenery.sandbox.webhooks.set([{ url: 'http://127.0.0.1:1/' }]);
		await look(page);
		await button(page, 'Remove http://127.0.0.1:1/').waitFor();

		const nodes = await accessibleNodes(page);
		const operated = nodes.filter(({ role }) => OPERATED.includes(role));
		const names = operated.map(({ role, name }) => `${role} ${name}`);
		expect(operated.filter(({ name }) => name === '')).toEqual([]);
		expect(names).toEqual([...new Set(names)]);
		expect(nodes.filter(({ role }) => role === 'log')).toMatchObject([
			{ name: 'What happens', properties: { live: 'polite' } },
		]);
		const { reached, expected, withoutOutline } = await tabThrough(page);
		expect(reached).toEqual(expected);
		expect(withoutOutline).toEqual([]);
	});

	scene('shows what a flow has changed, and starts over for another try', async (page) => {
		const { community, faults, webhooks } = scenery.sandbox;
		const [member] = community.members(10, 'joined', 'desc');
		const before = { ...member };
		const name = `${before.first_name} ${before.last_name}`;
		const board = [...community.boards.values()].find((each) => each.is_private)!;
		webhooks.set([{ url: 'http://127.0.0.1:1/' }]);
		await look(page);
		await page.getByLabel('Find in').fill(member.msid);
		await page.getByText('1 of 1 shown').first().waitFor();

		community.promote(member.user_id, 22);
		community.boardMembers.set(board.board_id, new Set([member.msid]));
		faults.add({ kind: 'hasMore', value: null });

		await news(page, `Role of ${name}: Member → Champion`).waitFor();
		await rows(page, 'members').getByText('Champion').waitFor();
		await page.getByLabel('Find in').fill(board.board_name);
		await rows(page, 'boards').getByText(name).waitFor();
		await button(page, 'Start over').click();
		await page.getByText('Everything is as it was at the start').waitFor();
		expect(community.user(member.msid)).toEqual(before);
		expect([faults.list(), webhooks.addresses.length]).toEqual([[], 1]);
	});

	scene('keeps the focus and what is typed while it changes', async (page) => {
		await look(page);
		const field = page.getByLabel('Webhook address');
		await field.fill('http://localhost/half');
		scenery.sandbox.community.join({ first_name: 'Ida' });
		await news(page, 'Ida joined').waitFor();
		expect(
			await field.evaluate((element: HTMLInputElement) => [
				element === element.ownerDocument.activeElement,
				element.value,
			]),
		).toEqual([true, 'http://localhost/half']);
	});

	scene('shows names and content as text', async (page) => {
		const { community, webhooks } = scenery.sandbox;
		await look(page);
		webhooks.set([{ url: 'http://127.0.0.1:1/', secret: MARKUP }]);
		await webhooks.send(MARKUP, {});
		const { user_id } = community.join({ first_name: MARKUP, username: MARKUP });
		const [post] = community.posts.values();
		community.posts.set(99_999, { ...post, post_id: 99_999, author_id: user_id, headline: MARKUP });

		await news(page, `${MARKUP} joined`).waitFor();
		for (const table of ['members', 'posts']) {
			await rows(page, table).getByText(MARKUP, { exact: true }).first().waitFor();
		}
		await page.locator('#addresses', { hasText: MARKUP }).waitFor();
		expect(await page.locator('img').count()).toBe(1);
		expect(await page.title()).toBe('Local community');
	});

	scene('says what is wrong with an address, and when there is no answer', async (page) => {
		await look(page);
		await page.getByLabel('Webhook address').fill('https://community.example.com/hook');
		await page.keyboard.press('Enter');
		await page.getByText('is not an address on this machine').waitFor();
		expect(scenery.sandbox.webhooks.addresses).toEqual([]);

		await page.route('**/_sandbox/view?*', (route) => route.abort('connectionrefused'));
		await page.getByText('The community does not answer. Trying again …').waitFor();
		await page.unroute('**/_sandbox/view?*');
		await page.getByText('Up to date').waitFor();
	});
});
