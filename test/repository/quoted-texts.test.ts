import { DOCUMENTS, isSentence, isShipped, quotesIn } from '../support/quotes.mts';

const quoting = DOCUMENTS.map((document) => ({ document, quotes: quotesIn(document) }));

it.each(quoting.filter(({ quotes }) => quotes.length > 0))(
	'$document quotes only failures and hints that exist',
	({ quotes }) => {
		expect(quotes.filter((quote) => !isShipped(quote))).toEqual([]);
	},
);

it('finds the quotes of docs/failures.md', () => {
	expect(quotesIn('docs/failures.md').length).toBeGreaterThan(15);
});

it.each([
	'This key is not accepted',
	'The proxy ended the connection instead of passing it on',
	"The address in 'Base URL' does not exist any more",
	'The parameter … is a banana',
	'… lines of the community were lost',
])('finds that no source has: %s', (quote) => {
	expect(isSentence(quote)).toBe(true);
	expect(isShipped(quote)).toBe(false);
});
