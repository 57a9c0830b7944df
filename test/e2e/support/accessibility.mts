// These functions run in the page.
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Page } from 'playwright-core';
import { readability } from './readability.mts';

/** Something that the browser tells a screen reader about. */
export interface AccessibleNode {
	role: string;
	name: string;
	/** E.g. `live`, `focusable`, `checked`. */
	properties: Record<string, unknown>;
}

/** All that the browser tells a screen reader of a page, in the page's order. */
export async function accessibleNodes(page: Page): Promise<AccessibleNode[]> {
	const session = await page.context().newCDPSession(page);
	const { nodes } = await session.send('Accessibility.getFullAXTree');
	await session.detach();
	return nodes
		.filter(({ ignored }) => !ignored)
		.map(({ role, name, properties = [] }) => ({
			role: String(role?.value),
			name: String(name?.value ?? ''),
			properties: Object.fromEntries(properties.map((each) => [each.name, each.value.value])),
		}));
}

/** The elements that the keyboard reaches. */
export interface TabStops {
	/** Descriptions of the elements that Tab led to, in that order, from the page's beginning. */
	reached: string[];
	/** Those of all that can be operated, in the order of the page. */
	expected: string[];
	/** Those of them that show no outline while they have the focus. */
	withoutOutline: string[];
}

/** Goes through a page with the Tab key until it has been everywhere, or is back where it was. */
export async function tabThrough(page: Page): Promise<TabStops> {
	const expected = await page.evaluate(() => {
		const stops = [...document.querySelectorAll('a[href], button, input, summary, [tabindex="0"]')];
		stops.forEach((stop, index) => stop.setAttribute('data-stop', String(index)));
		(document.activeElement as HTMLElement | null)?.blur();
		return stops.map((stop) => stop.outerHTML.slice(0, 80));
	});
	const reached: string[] = [];
	const withoutOutline: string[] = [];
	for (let presses = 0; presses < expected.length; presses++) {
		await page.keyboard.press('Tab');
		const { stop, isOutlined } = await page.evaluate(() => {
			const element = document.activeElement!;
			const { outlineStyle, outlineWidth } = getComputedStyle(element);
			return {
				stop: element.getAttribute('data-stop'),
				isOutlined: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
			};
		});
		const description = stop === null ? 'something else' : expected[Number(stop)];
		reached.push(description);
		if (!isOutlined) withoutOutline.push(description);
	}
	return { reached, expected, withoutOutline };
}

/**
 * Finds texts that do not stand out enough from what is behind them.
 *
 * @param minimum contrast, from 1 to 21
 * @returns what kinds of text they are, each with its contrast
 */
export async function faintTexts(page: Page, minimum: number): Promise<string[]> {
	const texts = page.locator('body *:visible', { hasText: /\S/ });
	const faint: string[] = [];
	const seen = new Set<string>();
	for (const text of await texts.all()) {
		// Rows look alike, so one of each kind is enough.
		const kind = await text.evaluate(({ tagName, className, parentElement }) =>
			[tagName, className, parentElement?.tagName, parentElement?.className].join(' '),
		);
		if (seen.has(kind)) continue;
		seen.add(kind);
		const { contrast } = await readability(text);
		if (contrast < minimum) faint.push(`${kind}: ${contrast}`);
	}
	return faint;
}
