import { files, text } from '../support/shipped.mts';

const [, table = ''] =
	/\| what you see \| cause \|.*\n\|[-|]+\n((?:\|.*\n)+)/.exec(text('docs/failures.md')) ?? [];
const seen = table
	.trim()
	.split('\n')
	.map((row) => row.split('|')[1]);
// The reason for a missing record is composed from its kind.
const PUT_TOGETHER = /^'Champion'|^No board/;
const N8NS_OWN = ['Unrecognized node type'];

describe("docs/failures.md quotes the nodes' failures", () => {
	const sources = files.map(text).join('\n').toLowerCase();
	const quoted = seen
		.flatMap((cell) => [...cell.matchAll(/\*([^*]+)\*/g)].map(([, quote]) => quote))
		.filter((quote) => !PUT_TOGETHER.test(quote) && !N8NS_OWN.includes(quote));

	it.each(quoted)('%s', (quote) => {
		const parts = quote.split('…').map((part) => part.trim().replaceAll('"', '').trim());
		expect(parts.filter((part) => !sources.includes(part.toLowerCase()))).toEqual([]);
	});
});
