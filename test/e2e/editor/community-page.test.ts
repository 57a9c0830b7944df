import type { Locator, Page } from 'playwright-core';
import { importExample } from '../../../dev/n8n/examples.mts';
import type { Post } from '../../../sandbox/records.mts';
import { until } from '../../../dev/tools/wait.mts';
import { accessibleNodes, faintTexts, tabThrough } from '../support/accessibility.mts';
import { useActivation } from '../support/active.mts';
import { picture, useEditor } from '../support/browser.mts';
import { READABLE, readability } from '../support/readability.mts';
import { useStage } from '../support/use-stage.mts';

const SECRET = 'a long random text';
const TIMEOUT_MS = 30_000;
const MARKUP = '<img src="/nowhere" onerror="document.title = this.tagName">';
const OPERATED = ['button', 'link', 'textbox', 'searchbox', 'spinbutton', 'switch', 'checkbox'];

const scenery = useStage({ members: 120, webhookSecret: SECRET });
const { open } = useActivation(scenery);

async function look(page: Page): Promise<void> {
	await page.goto(scenery.sandbox.baseUrl);
	await page.getByText('Up to date').waitFor();
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const news = (page: Page, text: string | RegExp) =>
	page.getByRole('log').locator('p', { hasText: text }).first();

/** Activates the example that welcomes members. */
async function welcoming(): Promise<string> {
	const { client, credential } = scenery;
	return await open(await importExample(client, 'welcome-new-members', credential));
}

/** The only post that was not there before, once it is. */
async function written(before: ReadonlySet<number>): Promise<Post> {
	const { posts } = scenery.sandbox.community;
	await until('a post', async () => posts.size > before.size, TIMEOUT_MS);
	const fresh = [...posts.values()].filter(({ post_id }) => !before.has(post_id));
	expect(fresh).toHaveLength(1);
	return fresh[0];
}

async function expectShown(page: Page, { headline, clean_text, board_id }: Post): Promise<void> {
	const { board_name } = scenery.sandbox.community.boards.get(board_id)!;
	const latest = page.locator('#boards tbody tr').first();
	await latest.getByText(headline, { exact: true }).waitFor();
	expect(await latest.locator('th .name').innerText()).toBe(board_name);
	await latest.getByText(clean_text.slice(0, 30)).waitFor();
	await news(page, `New post in ${board_name}`).waitFor();
}

for (const theme of ['light', 'dark'] as const) {
	describe(`The community's page, ${theme}`, () => {
		const { scene } = useEditor(scenery, { theme });

		scene('press the button, and the post written by the workflow appears', async (page) => {
			const { community, webhooks } = scenery.sandbox;
			webhooks.set([{ url: await welcoming(), secret: SECRET }]);
			const before = new Set(community.posts.keys());
			await look(page);

			await button(page, 'Let a member join').click();

			const post = await written(before);
			await expectShown(page, post);
			const member = [...community.users.values()].at(-1)!;
			expect(post.headline).toContain(member.first_name);
			await news(page, `${member.first_name} ${member.last_name} joined as Member.`).waitFor();
			await news(page, 'was answered 200.').waitFor();
			await page.locator('#requests').getByText('POST /api/v1/posts').waitFor();
			await picture(page, `community-page-${theme}`, true);
		});

		scene('can be read', async (page) => {
			await scenery.sandbox.webhooks.set([{ url: 'http://127.0.0.1:1/', secret: SECRET }]);
			scenery.sandbox.faults.add({ kind: 'hang' });
			await look(page);
			await button(page, 'Let a member join the wait-list').click();
			await news(page, 'was not answered').waitFor();
			expect((await readability(page.locator('h1'))).background).toBe(theme);
			expect(await faintTexts(page, READABLE)).toEqual([]);
		});
	});
}

describe("The community's page", () => {
	const { scene } = useEditor(scenery);

	scene('is operated by keyboard alone', async (page) => {
		const { community, webhooks, faults } = scenery.sandbox;
		const url = await welcoming();
		const before = new Set(community.posts.keys());
		await look(page);
		const tabTo = async (target: Locator) => {
			for (let presses = 0; presses < 60; presses++) {
				if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) {
					return;
				}
				await page.keyboard.press('Tab');
			}
			throw new Error(`Tab does not lead to ${String(target)}`);
		};

		await tabTo(page.getByLabel('Webhook address'));
		await page.keyboard.type(url);
		await page.keyboard.press('Enter');
		await page.getByText(`${url} is told from now on.`).waitFor();
		expect(webhooks.addresses).toEqual([{ url, secret: SECRET }]);
		const limit = page.getByRole('switch', { name: 'Slow answers' });
		await tabTo(limit);
		await page.keyboard.press('Space');
		await page.getByText('Slow answers: on.').waitFor();
		expect(faults.list()).toMatchObject([{ fault: { kind: 'slow', delayMs: 1000 } }]);
		await page.keyboard.press('Space');
		await page.getByText('Slow answers: off.').waitFor();
		expect(faults.list()).toEqual([]);
		await tabTo(button(page, 'Let a member join'));
		await page.keyboard.press('Enter');

		await expectShown(page, await written(before));
		await tabTo(button(page, `Remove ${url}`));
		await page.keyboard.press('Enter');
		await page.getByText('is not told any more').waitFor();
		expect(webhooks.addresses).toEqual([]);
		// Not lost with the button.
		expect(await page.locator('#addresses-title:focus').count()).toBe(1);
	});

	scene('names everything, and Tab leads to all of it, visibly', async (page) => {
		scenery.sandbox.webhooks.set([{ url: 'http://127.0.0.1:1/' }]);
		scenery.sandbox.faults.add({ kind: 'hasMore', value: null });
		await look(page);
		await page.getByRole('button', { name: 'Remove the fault hasMore' }).waitFor();

		const nodes = await accessibleNodes(page);
		const operated = nodes.filter(({ role }) => OPERATED.includes(role));
		expect(new Set(operated.map(({ role }) => role))).toEqual(new Set(OPERATED));
		expect(operated.filter(({ name }) => name === '')).toEqual([]);
		const names = operated.map(({ role, name }) => `${role} ${name}`);
		expect(names).toEqual([...new Set(names)]);
		const tables = nodes.filter(({ role }) => role === 'table');
		expect(tables.map(({ name }) => name).filter(Boolean)).toHaveLength(5);
		expect(nodes.filter(({ role }) => role === 'log')).toMatchObject([
			{ name: 'What happens', properties: { live: 'polite' } },
		]);
		const levels = nodes
			.filter(({ role }) => role === 'heading')
			.map(({ properties }) => Number(properties.level));
		expect(levels[0]).toBe(1);
		expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
		expect(levels.filter((level) => level === 1)).toHaveLength(1);
		const ids = await page.locator('[id]').evaluateAll((elements) => elements.map(({ id }) => id));
		expect(ids).toEqual([...new Set(ids)]);

		const { reached, expected, withoutOutline } = await tabThrough(page);
		expect(reached).toEqual(expected);
		expect(withoutOutline).toEqual([]);
	});

	scene('shows what a flow has changed, and starts over for another try', async (page) => {
		const { community, webhooks } = scenery.sandbox;
		const [member] = community.members(10, 'joined', 'desc');
		const before = { ...member };
		const board = [...community.boards.values()].find((each) => each.is_private)!;
		await look(page);
		await page.getByLabel('Find members').fill(member.msid);
		const row = page.locator('#members tbody tr');
		community.changeUser(member.user_id, { username: 'renamed', role_id: 22, post_count: 321 });
		community.boardMembers.set(board.board_id, new Set([member.msid]));
		webhooks.set([{ url: 'http://127.0.0.1:1/' }]);

		await row.getByText('renamed').waitFor();
		expect(await row.innerText()).toMatch(/Champion[^]*321/);
		const { lang, timezone } = community.changeUser(member.user_id, {
			...{ banner: null, timezone: 'Europe/Berlin' },
			social_media_links: { linkedin: 'https://example.com/ida' },
		});
		await row.getByText('Profile', { exact: true }).click();
		const profile = row.locator('dl');
		await profile.getByText('linkedin').waitFor();
		expect((await profile.innerText()).split(/\n+/)).toEqual([
			...['Banner URL', '(empty)', 'Language', lang],
			...['Last Name', before.last_name ?? '(empty)'],
			...['Middle Name', before.middle_name ?? '(empty)'],
			...['Social Media Links', '{"linkedin":"https://example.com/ida"}', 'Timezone', timezone],
		]);
		await picture(page, 'community-page-profile', true);
		await page.getByLabel('Show all boards').check();
		const name = `Members: ${before.first_name}`;
		await page.locator('#boards tbody tr', { hasText: board.board_name }).getByText(name).waitFor();

		await button(page, 'Start over').click();
		await news(page, 'Everything is as it was at the start.').waitFor();
		await row.getByText(before.username, { exact: true }).waitFor();
		expect(community.user(member.msid)).toEqual(before);
		expect(webhooks.addresses).toHaveLength(1);
	});

	scene('removes a board, so that a flow can be seen without it', async (page) => {
		const { community } = scenery.sandbox;
		await look(page);
		const first = page.locator('#boards tbody tr').first();
		const board = await first.locator('.name').innerText();
		const { size } = community.boards;

		await button(page, `Remove board ${board}`).click();
		await news(page, `The board ${board} was removed, with its posts.`).waitFor();

		expect(community.boards.size).toBe(size - 1);
		expect([...community.boards.values()].map(({ board_name }) => board_name)).not.toContain(board);
		expect(await page.locator('#boards-title:focus').count()).toBe(1);
	});

	scene('keeps the focus, what is typed, and its rows, while it changes', async (page) => {
		const { community } = scenery.sandbox;
		await look(page);
		const field = page.getByLabel('Webhook address');
		await field.fill('http://localhost/half');
		await field.press('ArrowLeft');
		const row = page.locator('#members tbody tr').first();
		const known = await row.elementHandle();
		const { first_name } = community.join({ first_name: 'Ida', role_id: 22 });

		await news(page, `${first_name} joined as Champion.`).waitFor();

		expect(await row.innerText()).toContain('Ida');
		expect(await known!.evaluate(({ isConnected }) => isConnected)).toBe(true);
		expect(
			await field.evaluate((element: HTMLInputElement) => [
				element === document.activeElement,
				element.value,
				element.selectionStart,
			]),
		).toEqual([true, 'http://localhost/half', 'http://localhost/hal'.length]);
		await page.getByLabel('Find members').fill('ida champion');
		await page.locator('#members .count', { hasText: /^1 shown$/ }).waitFor();
		// The message is not part of the count.
		community.join({ first_name: 'Zed' });
		await news(page, 'Zed joined').waitFor();
		expect(await page.locator('#members tbody tr').count()).toBe(1);
	});

	scene(
		'shows of two posts which is of the example, and of a delivery to whom it went',
		async (page) => {
			const { community, webhooks } = scenery.sandbox;
			const name = 'the example “Welcome new members”';
			webhooks.set([{ url: await welcoming(), secret: SECRET, name }]);
			const before = new Set(community.posts.keys());
			await look(page);
			await page.locator('#addresses').getByText(name).waitFor();

			await button(page, 'Let a member join').click();
			const post = await written(before);
			await news(page, `to ${name} was answered 200.`).waitFor();
			const post_id = community.nextId('post');
			community.posts.set(post_id, { ...post, post_id, clean_text: 'Of another workflow' });

			const latest = page.locator('#boards tbody tr').first();
			await latest.getByText('Of another workflow').waitFor();
			expect(await latest.getByText(post.clean_text.slice(0, 30)).isVisible()).toBe(true);
		},
	);

	scene('shows names and content as text', async (page) => {
		const { community, webhooks } = scenery.sandbox;
		await look(page);
		community.join({ first_name: MARKUP, username: MARKUP });
		await webhooks.send(MARKUP, {});
		webhooks.set([{ url: 'http://127.0.0.1:1/', secret: MARKUP }]);
		community.boards.get(1)!.board_name = MARKUP;
		const [post] = community.posts.values();
		community.posts.set(99_999, { ...post, post_id: 99_999, board_id: 1, headline: MARKUP });

		await news(page, `New post in ${MARKUP}`).waitFor();
		await page.locator('#addresses', { hasText: MARKUP }).waitFor();

		for (const section of ['#members', '#boards']) {
			await page.locator(section).getByText(MARKUP, { exact: true }).first().waitFor();
		}
		expect(await page.locator('img').count()).toBe(1);
		expect(await page.title()).toBe('Local community');
	});

	scene('shows the outcome of a delivery, also to a wrong address', async (page) => {
		const { webhooks } = scenery.sandbox;
		const url = await welcoming();
		await look(page);
		await button(page, 'Let a member join').click();
		await news(page, 'No delivery was sent').waitFor();

		await page.getByLabel('Webhook address').fill('https://community.example.com/hook');
		await page.keyboard.press('Enter');
		await page.getByText('is not an address on this machine').waitFor();
		expect(webhooks.addresses).toEqual([]);

		await page.getByLabel('Webhook address').fill(url);
		await page.getByLabel('Webhook secret').fill('not the secret');
		await page.keyboard.press('Enter');
		await page.getByText(`${url} is told from now on.`).waitFor();
		await button(page, 'Let a member join').click();
		await news(page, 'was answered 401. Check the webhook secret.').waitFor();
		webhooks.set([{ url: `${url}/elsewhere` }]);
		await button(page, 'Let a member join').click();
		await news(page, 'was answered 404. The workflow is not active').waitFor();
		webhooks.set([{ url, secret: 'not the secret' }]);
		// The same address with another secret is still one address.
		await page.getByLabel('Webhook secret').fill(SECRET);
		await page.getByLabel('Webhook secret').press('Enter');
		await page.locator('#addresses', { hasText: `secret “${SECRET}”` }).waitFor();
		expect(webhooks.addresses).toEqual([{ url, secret: SECRET }]);
		await button(page, 'Let a member join the wait-list').click();
		await news(page, 'member.joined_waitlist').waitFor();
		await page.locator('#deliveries tbody tr', { hasText: '401' }).waitFor();
	});

	scene('tells every delivery that was not accepted, and where it went', async (page) => {
		const { community, webhooks } = scenery.sandbox;
		const url = await welcoming();
		const { host, pathname } = new URL(url);
		const test = url.replace('/webhook/', '/webhook-test/');
		const place = (path: string) =>
			`${host}${path}`.replace(/([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, '$1…');
		await look(page);
		// Each tells of its own by its query, which is no part of the path.
		const accepted = [1, 2, 3].map((number) => ({ url: `${url}?${number}`, secret: SECRET }));
		webhooks.set([
			...accepted,
			{ url: `${url}/elsewhere`, secret: SECRET },
			{ url: test, secret: SECRET },
		]);
		// All of them are in one look, so that they are many.
		await page.route('**/_sandbox/view?*', (route) => route.abort('connectionrefused'));
		await page.getByText('Trying again').waitFor();
		community.join({ first_name: 'Ida', last_name: 'Noor' });
		await webhooks.settled();
		await page.unroute('**/_sandbox/view?*');

		await news(page, /:\d\d3 deliveries were accepted\.$/).waitFor();
		const told = async (path: string, outcome: string) =>
			await news(page, `to ${place(path)} was answered ${outcome}`).waitFor();
		await told(`${pathname}/elsewhere`, '404. The workflow is not active');
		await told(new URL(test).pathname, '404. This is the test URL');
		expect(await page.getByRole('log').getByText('The delivery of').count()).toBe(2);
		const hint = page.locator('#deliveries tbody tr', { hasText: place(new URL(test).pathname) });
		await hint.getByText('only works for one call after you click this button').waitFor();

		webhooks.set([{ url, secret: SECRET }]);
		await button(page, 'Let a member join the wait-list').click();
		await told(pathname, "200: not selected in the trigger's Events.");
	});

	scene(
		'takes an address as it is often typed, and says what is wrong with another',
		async (page) => {
			const { webhooks } = scenery.sandbox;
			await look(page);
			const field = page.getByLabel('Webhook address');
			const outcome = page.locator('#webhook-outcome');
			const enter = async (address: string) => {
				await field.fill(address);
				await field.press('Enter');
			};
			await enter('localhost:13878/webhook/abc');
			const url = 'http://localhost:13878/webhook/abc';
			await outcome.getByText(`${url} is told from now on.`, { exact: true }).waitFor();
			expect(webhooks.addresses).toEqual([{ url, secret: SECRET }]);
			await button(page, `Remove ${url}`).click();
			await outcome.getByText('is not told any more').waitFor();

			await enter('');
			await outcome.getByText('Enter the URL that the trigger shows in n8n.').waitFor();
			await enter('hello');
			await outcome.getByText('http://hello is not an address on this machine').waitFor();
			await enter('');
			await outcome.getByText('Enter the URL that the trigger shows in n8n.').waitFor();
			expect(webhooks.addresses).toEqual([]);

			await page.getByLabel('Webhook secret').fill('');
			await enter('127.0.0.1:13878/webhook/abc');
			const without = 'Without a secret: a trigger that verifies will answer 401';
			await outcome.getByText(`is told from now on. ${without}.`).waitFor();
			await page.locator('#addresses').getByText(without).waitFor();
		},
	);

	scene('refuses a number that a fault cannot have, and keeps what was set', async (page) => {
		const { rateLimit } = scenery.sandbox;
		await look(page);
		const item = page.locator('#switches li', { hasText: 'Rate limit (429)' });
		const toggle = item.getByRole('switch');
		const field = item.getByRole('spinbutton');
		const refusal = item.getByText('Not set: enter a whole number, 1 or more');
		await toggle.check();
		await page.getByText('Rate limit (429): on.').waitFor();
		const enter = async (typed: string) => {
			await field.fill(typed);
			await field.press('Enter');
		};
		let kept = 5;
		for (const typed of ['0', '', '3.7']) {
			await enter(typed);
			await refusal.waitFor();
			expect(await toggle.isChecked()).toBe(true);
			expect(rateLimit.settings).toMatchObject({ perSecond: kept });
			const next = ++kept;
			await enter(String(next));
			await until('the limit', async () => rateLimit.settings?.perSecond === next, TIMEOUT_MS);
			expect([await refusal.count(), await toggle.isChecked()]).toEqual([0, true]);
		}
		await field.fill('0');
		await field.blur();
		await refusal.waitFor();
		// The value in force is shown again.
		await until('the number', async () => (await field.inputValue()) === '8', TIMEOUT_MS);
		expect([await toggle.isChecked(), rateLimit.settings?.perSecond]).toEqual([true, 8]);
		await expect(page.locator('#faults-outcome').innerText()).resolves.toBe(
			'Rate limit (429): on.',
		);
		await toggle.uncheck();
		await page.getByText('Rate limit (429): off.').waitFor();
		await field.fill('');
		await toggle.click();
		await refusal.waitFor();
		expect([await toggle.isChecked(), rateLimit.settings]).toEqual([false, null]);
	});

	scene('switches faults and the rate limit, and follows when others do', async (page) => {
		const { faults, rateLimit } = scenery.sandbox;
		await look(page);
		const limit = page.getByRole('switch', { name: 'Rate limit (429)' });
		await page.getByLabel('Rate limit (429): requests per second').fill('7');
		await limit.check();
		await page.getByText('Rate limit (429): on.').waitFor();
		expect(rateLimit.settings).toEqual({ perSecond: 7, burst: 7, retryAfterSeconds: 1 });
		rateLimit.set(null);
		await expect(isUnchecked(limit)).resolves.toBe(true);

		const service = page.getByRole('switch', { name: 'Out of service (503)' });
		await service.check();
		await page.getByText('Out of service (503): on.').waitFor();
		const field = page.getByLabel('Out of service (503): one request in');
		await field.fill('2');
		await field.press('Enter');
		const armed = async () => faults.list().some(({ fault }) => fault.every === 2);
		await until('the other number', armed, TIMEOUT_MS);
		expect(faults.list()).toMatchObject([{ fault: { kind: 'status', status: 503, every: 2 } }]);
		// Without a number there is nothing to switch on.
		await page.getByLabel('Connection lost: one request in').fill('');
		await page.getByRole('switch', { name: 'Connection lost' }).click();
		expect(await page.getByRole('switch', { name: 'Connection lost' }).isChecked()).toBe(false);
		await service.uncheck();
		await page.getByText('Out of service (503): off.').waitFor();
		expect(faults.list()).toEqual([]);
	});

	scene('asks nothing while the page is hidden, and says when there is no answer', async (page) => {
		await page.clock.install();
		let asked = 0;
		let isAway = false;
		await page.route('**/_sandbox/view?*', async (route) => {
			asked++;
			await (isAway ? route.abort('connectionrefused') : route.continue());
		});
		await look(page);
		const becomes = async (hidden: boolean) =>
			await page.evaluate((value) => {
				Object.defineProperty(document, 'hidden', { value, configurable: true });
				document.dispatchEvent(new Event('visibilitychange'));
			}, hidden);
		await becomes(true);
		const before = asked;
		await page.clock.runFor(10_000);
		expect(asked).toBe(before);

		isAway = true;
		await becomes(false);
		await page.getByText('The community does not answer. Trying again …').waitFor();
		isAway = false;
		await page.clock.runFor(1_100);
		await page.getByText('Up to date').waitFor();
		expect(asked).toBeGreaterThan(before + 1);
	});
});

async function isUnchecked(toggle: Locator): Promise<boolean> {
	return await until('it to be off', async () => !(await toggle.isChecked()), TIMEOUT_MS);
}
