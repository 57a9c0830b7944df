import { text } from './shipped.mts';

/** The background of icons in n8n's editor: of its light theme, and of its dark one. */
export const BACKGROUNDS = { light: '#ffffff', dark: '#2b2b2b' };

/**
 * The best contrast among the colours that an icon is painted with.
 *
 * @param path of the SVG, from the folder of the project
 * @param background as `#rrggbb`
 * @returns 1 to 21, as WCAG 2.2 defines the contrast ratio; 3 is its least for graphics
 */
export function bestContrast(path: string, background: string): number {
	const painted = [...text(path).matchAll(/(?:fill|stroke|stop-color)="(#[\da-f]{3,6})"/gi)];
	return Math.max(...painted.map(([, colour]) => contrast(colour, background)));
}

function contrast(one: string, other: string): number {
	const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
	return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
	const digits = colour.slice(1);
	const full = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
	const [red, green, blue] = [0, 2, 4].map((at) => {
		const share = parseInt(full.slice(at, at + 2), 16) / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
