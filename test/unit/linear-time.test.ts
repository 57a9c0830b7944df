import { foldName, isSameName, plainName, trimmed } from '../../nodes/shared/text.ts';
import { isReadInTime } from '../support/read-in-time.mts';

// `npm run lint` refuses every regular expression that takes more than linear time. These are the other ways.
describe('Time to read a long text', () => {
	const MARKS = `a${'\u0315\u0300'.repeat(100_000)}`;
	const SPACES = ' \u200b'.repeat(100_000);

	it.each<[string, (text: string) => unknown]>([
		['folds', foldName],
		['folds without accents', plainName],
		['compares', (text) => isSameName(text, `${text}b`)],
	])('%s a name of 200,000 combining marks in seconds', (_, read) => {
		expect(isReadInTime(read, MARKS)).toBe(true);
	});

	it.each([
		['between words', `x${SPACES}x`],
		['between words, with another at the end', `x${SPACES}x `],
		['at the end', `x${SPACES}`],
	])('trims a text with 200,000 white-space characters %s in seconds', (_, text) => {
		expect(isReadInTime(trimmed, text)).toBe(true);
	});
});
