// These functions run in the page.
/// <reference lib="dom" />
import type { Locator } from 'playwright-core';

/** The least contrast of text that can be read well, as WCAG 2.2 has it (1.4.3, level AA). */
export const READABLE = 4.5;

/** How a text stands out from what is behind it. */
export interface Readability {
	/** From 1, the same colour, to 21, black on white (WCAG 2.2, "contrast ratio"). */
	contrast: number;
	background: 'light' | 'dark';
}

/**
 * Compares the colour of a text with the one behind it.
 *
 * @param text an element with text; the first one if there are several
 */
export async function readability(text: Locator): Promise<Readability> {
	return await text.first().evaluate((element) => {
		const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;

		// Puts one colour over another, whichever of the many ways of CSS they are written in.
		const luminanceOf = (...colours: string[]) => {
			for (const colour of ['white', ...colours]) {
				pen.fillStyle = colour;
				pen.fillRect(0, 0, 1, 1);
			}
			const [red, green, blue] = [...pen.getImageData(0, 0, 1, 1).data].map((level) => {
				const share = level / 255;
				return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
			});
			return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
		};

		const behind: string[] = [];
		for (let box: Element | null = element; box; box = box.parentElement) {
			behind.unshift(getComputedStyle(box).backgroundColor);
		}
		const background = luminanceOf(...behind);
		const foreground = luminanceOf(...behind, getComputedStyle(element).color);
		const [darker, lighter] = [background, foreground].sort((a, b) => a - b);
		return {
			contrast: (lighter + 0.05) / (darker + 0.05),
			background: background < 0.18 ? 'dark' : 'light',
		};
	});
}
