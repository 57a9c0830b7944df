// These functions run in the page.
/// <reference lib="dom" />
import type { Locator } from 'playwright-core';

/**
 * Finds texts that an element shows only in part: labels, notices, buttons, and what input fields hold or
 * suggest. What can be scrolled to is not cut off.
 *
 * @param within an element whose texts are all of a fixed length, since n8n shortens names of records
 * @returns the texts in the order of the page; empty when nothing is cut off
 * @throws when there is no text at all, or nothing would be looked at
 */
export async function clippedTexts(within: Locator): Promise<string[]> {
	const { texts, clipped } = await within.evaluate((root) => {
		// Letters may stick out of their line, and widths are rounded.
		const TOLERANCE_PX = { x: 1, y: 3 };
		const pen = document.createElement('canvas').getContext('2d')!;

		const isFieldTooNarrow = (field: HTMLInputElement) => {
			const style = getComputedStyle(field);
			pen.font = style.font;
			const { width } = pen.measureText(field.value || field.placeholder);
			const room =
				field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
			return width > room + TOLERANCE_PX.x;
		};

		const isCutOff = (text: Text) => {
			const range = document.createRange();
			range.selectNodeContents(text);
			const needed = range.getBoundingClientRect();
			let scrollsX = false;
			let scrollsY = false;
			for (let box = text.parentElement; box && root.contains(box); box = box.parentElement) {
				const { overflowX, overflowY, display } = getComputedStyle(box);
				if (display === 'inline') continue;
				scrollsX ||= overflowX === 'auto' || overflowX === 'scroll';
				scrollsY ||= overflowY === 'auto' || overflowY === 'scroll';
				const room = box.getBoundingClientRect();
				const isOutsideX =
					needed.left < room.left - TOLERANCE_PX.x || needed.right > room.right + TOLERANCE_PX.x;
				const isOutsideY =
					needed.top < room.top - TOLERANCE_PX.y || needed.bottom > room.bottom + TOLERANCE_PX.y;
				if (overflowX !== 'visible' && !scrollsX && isOutsideX) return true;
				if (overflowY !== 'visible' && !scrollsY && isOutsideY) return true;
			}
			return false;
		};

		const all: string[] = [];
		const cut: string[] = [];
		const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
		for (let node = walker.nextNode(); node; node = walker.nextNode()) {
			const field = node instanceof HTMLInputElement && node.type !== 'checkbox' ? node : undefined;
			const text = node instanceof Text ? node : undefined;
			const words = (field?.value || field?.placeholder || text?.data || '').trim();
			const owner = field ?? text?.parentElement;
			if (words === '' || !owner?.checkVisibility({ visibilityProperty: true })) continue;
			all.push(words);
			if (field ? isFieldTooNarrow(field) : isCutOff(text!)) cut.push(words);
		}
		return { texts: all.length, clipped: cut };
	});
	if (texts === 0) throw new Error('There is no text to look at');
	return clipped;
}
