import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page, selectors } from 'playwright-core';
import { temporaryFolder } from '../../../dev/tools/temporary-folder.mts';
import { which } from '../../../dev/tools/which.mts';
import { Complaints } from './complaints.mts';
import { REPORTS } from './n8n.mts';
import type { Fixture } from './use-fixture.mts';

const VIEWPORT = { width: 1280, height: 800 };
// Longer than any step, and shorter than a test's time limit.
const STEP_TIMEOUT_MS = 10_000;
// Downloading and compiling the editor takes longer than a step on a busy machine.
const LOAD_TIMEOUT_MS = 60_000;
// They cover other elements, and appear at random times.
const WITHOUT_NOTIFICATIONS = '.el-notification { visibility: hidden }';

// All files of a Jest worker share it, including its cache of the editor. It ends with the worker.
let browser: Promise<BrowserContext> | undefined;

/** Declares a test in a browser. */
export type BrowserTest = (title: string, body: (page: Page) => Promise<void>) => void;

/**
 * Opens n8n in one browser page for the tests of a describe block, with its owner logged in, because loading the editor
 * takes longer than most tests. A test fails if the browser's console reports a failure. After a failed test, a
 * screenshot is kept with the reports, and the next test gets a new page.
 *
 * @param theme the system's color scheme, which n8n follows by default
 */
export function useEditor(fixture: Fixture, theme: 'light' | 'dark' = 'light'): BrowserTest {
	let page: Page | undefined;
	const close = async () => {
		await page?.close();
		page = undefined;
	};
	afterAll(close);
	return (title, body) => {
		test(title, async () => {
			page ??= await (await (browser ??= launch(fixture))).newPage();
			const complaints = new Complaints(page);
			try {
				await page.emulateMedia({ colorScheme: theme });
				await body(page);
				expect(complaints.all).toEqual([]);
			} catch (error) {
				await takePicture(page, `not-passed-${title}`);
				await close();
				throw error;
			}
		});
	};
}

/**
 * Saves a screenshot in the folder of the reports after all buttons have finished loading.
 *
 * @param name file name, without its ending
 * @param asItIs adds no style, because a Content-Security-Policy may forbid it
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

async function launch({ n8n }: Fixture): Promise<BrowserContext> {
	selectors.setTestIdAttribute('data-test-id');
	const { path } = await temporaryFolder('community-platform-e2e-browser');
	const context = await chromium.launchPersistentContext(path, {
		executablePath: chromiumBinary(),
		viewport: VIEWPORT,
		args: [
			// In containers of CI systems, which run as root, Chromium's sandbox does not work.
			'--no-sandbox',
			'--disable-gpu',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
			// n8n requests the package from the registry, but the tests must not depend on the internet.
			'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
		],
	});
	context.setDefaultTimeout(STEP_TIMEOUT_MS);
	context.setDefaultNavigationTimeout(LOAD_TIMEOUT_MS);
	// tsx calls this to keep the names of functions, even in functions that are evaluated in a page.
	await context.addInitScript('globalThis.__name = (value) => value;');
	const page = await context.newPage();
	await page.goto(`${n8n.url}/signin`);
	await page.locator('input[name=emailOrLdapLoginId]').fill(n8n.logIn.email);
	await page.locator('input[name=password]').fill(n8n.logIn.password);
	await page.getByTestId('form-submit-button').click();
	await page.waitForURL(({ pathname }) => pathname !== '/signin');
	await page.close();
	return context;
}

// Chromium's usual names. The environment variable CHROMIUM overrides them.
function chromiumBinary(): string {
	const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
	for (const name of process.env.CHROMIUM ? [process.env.CHROMIUM] : names) {
		const found = which(name);
		if (found !== undefined) return found;
	}
	throw new Error('No browser: install Chromium, or name one in CHROMIUM');
}
