import fc from 'fast-check';
import { quoted, shortened } from '../../nodes/shared/failures/quote.ts';

describe('a text in a message', () => {
	it.each([
		['', ''],
		['Champion', 'Champion'],
		['x'.repeat(60), 'x'.repeat(60)],
		['x'.repeat(61), `${'x'.repeat(60)}…`],
		['🙂'.repeat(60), '🙂'.repeat(60)],
		['🙂'.repeat(61), `${'🙂'.repeat(60)}…`],
		[`${'x'.repeat(59)}🙂y`, `${'x'.repeat(59)}🙂…`],
	])('%j is shown as %j', (text, shown) => {
		expect(shortened(text)).toBe(shown);
	});

	it('is the beginning of the text, sixty characters at most, and never half a character', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
				const shown = shortened(text);
				const beginning = shown === text ? text : shown.slice(0, -1);
				expect(text.startsWith(beginning)).toBe(true);
				expect([...beginning].length).toBeLessThanOrEqual(60);
				// It throws where there is half a character.
				expect(() => encodeURIComponent(shown)).not.toThrow();
				if (shown !== text) expect([...beginning]).toHaveLength(60);
			}),
		);
	});

	it('stands in quotation marks without the white space around it', () => {
		expect(quoted('  Champion\n')).toBe("'Champion'");
	});
});
