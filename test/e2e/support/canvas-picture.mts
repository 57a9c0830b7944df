import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { REPORTS } from './paths.mts';

// What floats above the canvas would hide nodes.
const ALONE = `
	#app, [data-test-id=canvas-controls] { visibility: hidden }
	[data-test-id=canvas] { visibility: visible }
`;

/**
 * Keeps a picture of the workflow on the canvas and nothing around it, in the folder of the reports.
 *
 * @param name file name, without its ending
 */
export async function pictureOfCanvas(page: Page, name: string): Promise<void> {
	const folder = join(REPORTS, 'screenshots');
	await mkdir(folder, { recursive: true });
	const path = join(folder, `${name}.png`);
	await page.getByTestId('canvas').screenshot({ path, animations: 'disabled', style: ALONE });
}
