import { documentText, projectFiles } from '../../scripts/documents.mts';
import { deadCitations, decisionNumbers } from '../support/citations.mts';

const citing = projectFiles().filter((path) => /\.(m?ts|mjs|md|yaml)$/.test(path));

it('cites only pages, headings and decisions that are there', () => {
	const itself = /citations\.(test\.ts|mts)$/;
	const dead = citing
		.filter((path) => !itself.test(path))
		.flatMap((path) => deadCitations(documentText(path)).map((citation) => `${path}: ${citation}`));
	expect(dead).toEqual([]);
});

it('refers to decisions that are there, from page to page', () => {
	const pages = ['api/README.md', 'docs/decisions.md'].map(documentText).join('\n');
	const referred = [...pages.matchAll(/\(([AE]\d+)\)/g)].map(([, number]) => number);
	expect(referred.length).toBeGreaterThan(5);
	expect(referred.filter((number) => !decisionNumbers().includes(number))).toEqual([]);
});

it('gives each decision a number of its own, in order', () => {
	const numbers = decisionNumbers();
	expect(new Set(numbers).size).toBe(numbers.length);
	const sorted = (letter: string) =>
		numbers.filter((number) => number.startsWith(letter)).map((number) => Number(number.slice(1)));
	for (const letter of ['A', 'E']) {
		expect(sorted(letter)).toEqual([...sorted(letter)].sort((one, other) => one - other));
	}
});

it('names only tests that are there', () => {
	const text = documentText('docs/decisions.md').replace(/\s+/g, ' ');
	const named = [...text.matchAll(/Engine tests: (`[^.]+`)\./g)].flatMap(([, list]) =>
		[...list.matchAll(/`([\w-]+)`/g)].map(([, name]) => `test/engine/${name}.test.ts`),
	);
	expect(named.length).toBeGreaterThan(20);
	expect(named.filter((path) => !projectFiles().includes(path))).toEqual([]);
});

describe('the check of citations', () => {
	it.each([
		'(docs/decisions.md, A8)',
		'(docs/decisions.md, A8 and E12)',
		'(api/README.md, "Limits")',
		' * (api/README.md, "General\n * response rules")',
		'// (docs/triggers.md, "What the community\n\t// gets as an answer")',
		'what the contract of a method says',
	])('accepts %j', (text) => {
		expect(deadCitations(text)).toEqual([]);
	});

	it.each([
		['(docs/decisions.md, A99)', 'docs/decisions.md, A99'],
		['(docs/decisions.md, A8 and E99)', 'docs/decisions.md, E99'],
		['(api/README.md, "Limit")', 'api/README.md, "Limit"'],
		['(api/README.md, A8)', 'api/README.md, A8'],
		['(docs/none.md, "Limits")', 'docs/none.md, "Limits"'],
		['(design, engine fact 12)', 'design, engine fact'],
		['(contract, decision 8)', 'contract, decision'],
		['(specification, "Limits")', 'specification, "'],
		['specification, section Limits', 'specification, section '],
	])('finds what is wrong with %j', (text, dead) => {
		expect(deadCitations(text)).toEqual([dead]);
	});
});
