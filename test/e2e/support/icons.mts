// These functions run in the page.
/// <reference lib="dom" />
import type { Locator } from 'playwright-core';
import { PACKAGE_NAME } from '../../../dev/n8n/paths.mts';

/** An icon of the package on a page. */
export interface ShownIcon {
	/** Name of its file. */
	file: string;
	/** False while the browser shows a broken image instead. */
	isDrawn: boolean;
}

/** Returns the first icon of the package in an element, after the browser has decoded it. */
export async function iconIn(within: Locator): Promise<ShownIcon> {
	const icons = within.locator(`img[src*="/${PACKAGE_NAME}/"]`).locator('visible=true');
	return await icons.first().evaluate(async (element) => {
		const icon = element as HTMLImageElement;
		// Rejected for a broken image, which the widths then reveal.
		await icon.decode().catch(() => undefined);
		return {
			file: icon.src.split('/').at(-1)!,
			isDrawn: icon.complete && icon.naturalWidth > 0 && icon.clientWidth > 0,
		};
	});
}
