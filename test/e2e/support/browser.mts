import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page, selectors } from 'playwright-core';
import { chromiumBinary } from './chromium.mts';
import { Complaints } from './complaints.mts';
import { REPORTS } from './paths.mts';
import type { Scenery } from './use-stage.mts';

const VIEWPORT = { width: 1280, height: 800 };
// Longer than any step takes here, shorter than the time a test has.
const STEP_TIMEOUT_MS = 10_000;
// The editor is downloaded and compiled, which takes a busy machine longer than a step.
const LOAD_TIMEOUT_MS = 60_000;
// They cover other elements, and come and go.
const WITHOUT_NOTIFICATIONS = '.el-notification { visibility: hidden }';

/** A browser with n8n's owner logged in. */
export interface Editor {
	/**
	 * Declares a test that gets a page of its own. It does not pass if the browser's console complained;
	 * if it does not pass, what the page looked like is kept with the reports.
	 */
	scene: (title: string, play: (page: Page) => Promise<void>) => void;
}

/**
 * Opens a browser for the tests of one describe block, and closes it after them.
 *
 * @param scenery what {@link useStage} returned
 * @param options.theme what the system of the user prefers; n8n follows it by default
 */
export function useEditor(
	scenery: Scenery,
	{ theme = 'light' }: { theme?: 'light' | 'dark' } = {},
): Editor {
	let browser: BrowserContext | undefined;
	beforeAll(async () => {
		selectors.setTestIdAttribute('data-test-id');
		browser = await launch(scenery, theme);
		browser.setDefaultTimeout(STEP_TIMEOUT_MS);
		browser.setDefaultNavigationTimeout(LOAD_TIMEOUT_MS);
		await logIn(browser, scenery);
	});
	afterAll(async () => await browser?.close());

	const scene: Editor['scene'] = (title, play) => {
		test(title, async () => {
			const page = await browser!.newPage();
			const complaints = new Complaints(page);
			try {
				await play(page);
				expect(complaints.all).toEqual([]);
			} catch (error) {
				await takePicture(page, `not-passed-${title}`);
				throw error;
			} finally {
				await page.close();
			}
		});
	};
	return { scene };
}

/**
 * Keeps a picture of what the page shows, in the folder of the reports, once no button is busy any more.
 *
 * @param name file name, without its ending
 * @param asItIs adds no style of our own, which a Content-Security-Policy may forbid
 */
export async function picture(page: Page, name: string, asItIs = false): Promise<void> {
	await page.locator('button .n8n-spinner').first().waitFor({ state: 'detached' });
	await page.getByText('Loading fields').first().waitFor({ state: 'detached' });
	await takePicture(page, name, asItIs);
}

async function takePicture(page: Page, name: string, asItIs = false): Promise<void> {
	const folder = join(REPORTS, 'screenshots');
	await mkdir(folder, { recursive: true });
	const path = join(folder, `${name.replace(/[^\w-]+/g, '-').toLowerCase()}.png`);
	const style = { animations: 'disabled', style: WITHOUT_NOTIFICATIONS } as const;
	await page.screenshot({ path, ...(asItIs ? { caret: 'initial' } : style) });
}

async function launch({ profile }: Scenery, theme: 'light' | 'dark'): Promise<BrowserContext> {
	// All files share a profile: what has been downloaded of the editor, and the session, stay.
	const browser = await chromium.launchPersistentContext(profile, {
		executablePath: chromiumBinary(),
		viewport: VIEWPORT,
		colorScheme: theme,
		args: [
			// Containers of CI systems, where root runs everything, lack what its sandbox needs.
			'--no-sandbox',
			'--disable-gpu',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
			// n8n asks the package registry about the package, and nothing here may depend on the internet.
			'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
		],
	});
	// tsx has every function keep its name by this, those included that are evaluated in a page.
	await browser.addInitScript('globalThis.__name = (value) => value;');
	return browser;
}

async function logIn(browser: BrowserContext, { url, logIn: { email, password } }: Scenery) {
	const cookies = await browser.cookies(url);
	if (cookies.some(({ name }) => name === 'n8n-auth')) return;
	const page = await browser.newPage();
	await page.goto(`${url}/signin`);
	await page.locator('input[name=emailOrLdapLoginId]').fill(email);
	await page.locator('input[name=password]').fill(password);
	await page.getByTestId('form-submit-button').click();
	await page.waitForURL(({ pathname }) => pathname !== '/signin');
	await page.close();
}
