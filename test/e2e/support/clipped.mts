// These functions run in the page.
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Locator } from 'playwright-core';

/**
 * Finds texts that an element shows only in part: labels, notices, buttons, and the values of input fields.
 *
 * @param within an element with fixed texts only, because n8n shortens names of records
 * @returns the texts in the order of the page, empty if none is clipped
 * @throws if there is no text, because the check would be void
 */
export async function clippedTexts(within: Locator): Promise<string[]> {
	const { texts, clipped } = await within.evaluate((root) => {
		// Widths are rounded.
		const TOLERANCE_PX = 1;
		const holdsText = (element: Element) =>
			element instanceof HTMLInputElement ||
			[...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
		const boxes = [...root.querySelectorAll<HTMLElement>('*')].filter(
			(element) => holdsText(element) && element.checkVisibility({ visibilityProperty: true }),
		);
		const isCutOff = (element: HTMLElement) => {
			const { overflowX } = getComputedStyle(element);
			const isHidden = element instanceof HTMLInputElement || overflowX === 'hidden';
			return isHidden && element.scrollWidth > element.clientWidth + TOLERANCE_PX;
		};
		return {
			texts: boxes.length,
			clipped: boxes.filter(isCutOff).map((element) => element.innerText || element.outerHTML),
		};
	});
	if (texts === 0) throw new Error('There is no text to look at');
	return clipped;
}
