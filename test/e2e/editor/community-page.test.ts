// A part of this runs in the page.
/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { importExample } from '../../../dev/n8n/examples.mts';
import { useActivation } from '../support/active.mts';
import { picture, useEditor } from '../support/browser.mts';
import { useFixture } from '../support/use-fixture.mts';

const MARKUP = '<img/src="/nowhere"/onerror="document.title=this.tagName">';

const fixture = useFixture({ members: 120, webhookSecret: 'a long random text' });
const { open } = useActivation(fixture);

async function look(page: Page): Promise<void> {
	await page.goto(fixture.sandbox.baseUrl);
	await page.getByText('Up to date').waitFor();
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const news = (page: Page, text: string | RegExp) =>
	page.getByRole('log').locator('p', { hasText: text }).first();
const rows = (page: Page, table: string) => page.locator(`#${table}-table tbody tr`);

for (const theme of ['light', 'dark'] as const) {
	describe(`The community's page, ${theme}`, () => {
		const browserTest = useEditor(fixture, theme);

		browserTest('shows a new member, and the post that a workflow wrote', async (page) => {
			const { client, credential } = fixture;
			const url = await open(await importExample(client, 'welcome-new-members', credential));
			await look(page);

			await page.getByLabel('Webhook address').fill(url);
			await page.keyboard.press('Enter');
			await page.getByText(`${url} is told from now on.`).waitFor();
			await page.getByLabel('Who joins').fill('Ida Noor <ida@members.example>');
			await button(page, 'Let a member join').click();

			await news(page, 'Ida Noor joined as Member.').waitFor();
			await news(page, /of Ida Noor to .* was answered 200/).waitFor();
			await news(page, 'New post in').waitFor();
			await rows(page, 'posts').first().getByText('Welcome to a new member').first().waitFor();
			await rows(page, 'members').first().getByText('ida@members.example').waitFor();
			await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
			await picture(page, `community-page-${theme}`, true);
			await rows(page, 'posts').first().getByRole('link').click();
			await page.getByText('1 of 1 shown').first().waitFor();
		});
	});
}

describe("The community's page", () => {
	const browserTest = useEditor(fixture);

	browserTest('shows the changes of a workflow as text, and starts over', async (page) => {
		const { community } = fixture.sandbox;
		const [member] = community.members(10, 'joined', 'desc');
		const before = { ...member };
		const name = `${before.first_name} ${before.last_name}`;
		await look(page);
		await page.getByLabel('Find in').fill(member.msid);
		await page.getByText('1 of 1 shown').first().waitFor();

		community.promote(member.user_id, 22);
		community.join({ first_name: MARKUP, username: MARKUP });

		await news(page, `Role of ${name}: Member → Champion`).waitFor();
		await rows(page, 'members').getByText('Champion').waitFor();
		await news(page, `${MARKUP} joined`).waitFor();
		expect(await page.title()).toBe('Local community');
		await page.getByLabel('Find in').fill('');
		await rows(page, 'members').nth(1).waitFor();
		for (const width of [1280, 1440, 1920]) {
			await page.setViewportSize({ width, height: 900 });
			const scrolled = (all: Element[]) => all.map((each) => each.scrollWidth - each.clientWidth);
			expect(new Set(await page.locator('section').evaluateAll(scrolled))).toEqual(new Set([0]));
			const letters = (all: Element[]) =>
				all.map((each) => each.clientWidth / (0.5 * parseFloat(getComputedStyle(each).fontSize)));
			const columns = page.locator('#posts-table thead th');
			const [post, text, board, author] = await columns.evaluateAll(letters);
			expect(Math.min(post, text / 2, board, author)).toBeGreaterThan(24);
		}
		// The browser's question is answered with Cancel unless a test answers it.
		await button(page, 'Start over').click();
		expect(community.user(member.msid).role_id).toBe(22);
		page.once('dialog', (dialog) => void dialog.accept());
		await button(page, 'Start over').click();
		await page.getByText('Everything is as it was at the start').waitFor();
		await page.getByText('Nothing has happened yet.').waitFor();
		expect(community.user(member.msid)).toEqual(before);
	});

	browserTest('approves a member who has waited for long, without a search', async (page) => {
		const { community } = fixture.sandbox;
		const [longest] = community.members(4, 'joined', 'asc');
		await look(page);
		await page.getByLabel('Member to change').selectOption(longest.msid);
		await button(page, 'Approve').click();
		await news(page, 'WAITLIST → ACTIVE').waitFor();
		expect(community.user(longest.msid).user_status).toBe(10);
	});

	browserTest('changes the role of a member, approves, bans and removes them', async (page) => {
		const { msid } = fixture.sandbox.community.waitlist({ first_name: 'Ida', last_name: 'Noor' });
		const row = rows(page, 'members').filter({ hasText: msid });
		await look(page);
		await page.getByLabel('Member to change').selectOption(msid);
		await page.getByLabel('New role').selectOption('Champion');
		for (const [change, shown, fitting] of [
			['Change role', 'Champion', 'Change role, Approve, Ban, Remove'],
			['Approve', 'ACTIVE', 'Change role, Ban, Remove'],
			['Ban', 'BANNED', 'Change role, End ban, Remove'],
			['End ban', 'ACTIVE', 'Change role, Ban, Remove'],
		]) {
			await button(page, change).click();
			await row.getByText(shown, { exact: true }).waitFor();
			const enabled = await page.locator('#change button:enabled').allTextContents();
			expect(enabled.join(', ')).toBe(fitting);
		}
		await news(page, 'Status of Ida Noor: ACTIVE → BANNED').waitFor();
		// The browser's question is answered with Cancel unless a test answers it.
		await button(page, 'Remove').click();
		expect(fixture.sandbox.community.user(msid)).toMatchObject({ msid });
		page.once('dialog', (dialog) => void dialog.accept());
		await button(page, 'Remove').click();
		await row.waitFor({ state: 'detached' });
		await news(page, 'Ida Noor was removed.').waitFor();
		// The selection is empty, so no other member can be removed by mistake.
		expect(await page.getByLabel('Member to change').inputValue()).toBe('');
		expect(await page.locator('#change button:enabled').count()).toBe(0);
	});
});
