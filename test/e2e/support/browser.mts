import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page, selectors } from 'playwright-core';
import { temporaryFolder } from '../../../dev/tools/temporary-folder.mts';
import { which } from '../../../dev/tools/which.mts';
import { Complaints } from './complaints.mts';
import { REPORTS } from './n8n.mts';
import type { Scenery } from './use-stage.mts';

const VIEWPORT = { width: 1280, height: 800 };
// Longer than any step takes here, shorter than the time a test has.
const STEP_TIMEOUT_MS = 10_000;
// The editor is downloaded and compiled, which takes a busy machine longer than a step.
const LOAD_TIMEOUT_MS = 60_000;
// They cover other elements, and come and go.
const WITHOUT_NOTIFICATIONS = '.el-notification { visibility: hidden }';

// All files that a worker of Jest runs share it, with what it has downloaded of the editor. It ends with the worker.
let browser: Promise<BrowserContext> | undefined;

/** Declares a test that sees n8n in a browser. */
export type Scene = (title: string, play: (page: Page) => Promise<void>) => void;

/**
 * Lets the tests of one describe block see n8n in one page of a browser, with its owner logged in: loading the editor
 * takes longer than most scenes. A scene does not pass if the browser's console complained; if it does not pass, what
 * the page looked like is kept with the reports, and the next scene gets a new page.
 *
 * @param theme what the system of the user prefers; n8n follows it by default
 */
export function useEditor(scenery: Scenery, theme: 'light' | 'dark' = 'light'): Scene {
	let page: Page | undefined;
	const close = async () => {
		await page?.close();
		page = undefined;
	};
	afterAll(close);
	return (title, play) => {
		test(title, async () => {
			page ??= await (await (browser ??= launch(scenery))).newPage();
			const complaints = new Complaints(page);
			try {
				await page.emulateMedia({ colorScheme: theme });
				await play(page);
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

async function launch({ n8n }: Scenery): Promise<BrowserContext> {
	selectors.setTestIdAttribute('data-test-id');
	const { path } = await temporaryFolder('community-platform-e2e-browser');
	const context = await chromium.launchPersistentContext(path, {
		executablePath: chromiumBinary(),
		viewport: VIEWPORT,
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
	context.setDefaultTimeout(STEP_TIMEOUT_MS);
	context.setDefaultNavigationTimeout(LOAD_TIMEOUT_MS);
	// tsx has every function keep its name by this, those included that are evaluated in a page.
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

// Chromium's usual names; CHROMIUM names another.
function chromiumBinary(): string {
	const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
	for (const name of process.env.CHROMIUM ? [process.env.CHROMIUM] : names) {
		const found = which(name);
		if (found !== undefined) return found;
	}
	throw new Error('No browser: install Chromium, or name one in CHROMIUM');
}
