import { files, text } from '../support/shipped.mts';

const [, table = ''] =
	/\| what you see \| cause \|.*\n\|[-|]+\n((?:\|.*\n)+)/.exec(text('docs/failures.md')) ?? [];
const seen = table
	.trim()
	.split('\n')
	.map((row) => row.split('|')[1]);
// What a record lacks is put together from its kind.
const PUT_TOGETHER = /^'Champion'|^No board/;
const N8NS_OWN = ['Unrecognized node type'];

it('the page of failures names every status that has an advice of its own', () => {
	const statuses = [...text('nodes/shared/transport/advice.ts').matchAll(/^\t(\d{3}): /gm)];
	const known = statuses.map(([, status]) => status);
	expect(known).toContain('403');
	expect(known.filter((status) => !seen.some((cell) => cell.includes(status)))).toEqual([]);
});

describe('the page of failures quotes what the nodes say', () => {
	const sources = files.map(text).join('\n').toLowerCase();
	const quoted = seen
		.flatMap((cell) => [...cell.matchAll(/\*([^*]+)\*/g)].map(([, quote]) => quote))
		.filter((quote) => !PUT_TOGETHER.test(quote) && !N8NS_OWN.includes(quote));

	it.each(quoted)('%s', (quote) => {
		const parts = quote.split('…').map((part) => part.trim().replaceAll('"', '').trim());
		expect(parts.filter((part) => !sources.includes(part.toLowerCase()))).toEqual([]);
	});
});
