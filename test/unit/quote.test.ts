import fc from 'fast-check';
import { keptName } from '../../nodes/CommunityPlatform/actions/tag/keptName.ts';
import { readEvent } from '../../nodes/CommunityPlatformTrigger/event.ts';
import { quoted, shortened } from '../../nodes/shared/transport/quote.ts';

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

	it('is cut off in texts about a tag and about a delivery', () => {
		const [name, display_name] = ['x', 'y'].map((letter) => letter.repeat(100_000));
		expect(() => keptName({ name, display_name })).toThrow(
			`it is stored as "${'x'.repeat(60)}…" and shown as "${'y'.repeat(60)}…"`,
		);
		expect(readEvent({ event: 'e', job_id: 1, entities: { [name]: 1 } })).toEqual({
			reason: `"entities.${'x'.repeat(60)}…" is not an array of objects`,
		});
	});
});
