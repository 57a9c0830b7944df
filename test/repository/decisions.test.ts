import { filesIn, isThere, text } from '../support/shipped.mts';

const PAGE = 'docs/decisions.md';
const ENTRY = /^### ([AE]\d+) [^]*?(?=^##|(?![^]))/gm;
const CITED = /docs\/decisions\.md,([^)"]*)|\[([AE\d, ]+)\]\([^)]*decisions\.md|\(([AE\d, ]+)\)/g;

const entries = new Map([...text(PAGE).matchAll(ENTRY)].map(([entry, id]) => [id, entry]));

const folders = ['.github', 'credentials', 'dev', 'docs', 'nodes', 'sandbox', 'test'];
const citing = [...filesIn(...folders), 'README.md', 'CONTRIBUTING.md'].filter(
	(file) => /\.(m?ts|md|yml)$/.test(file) && text(file).includes('decisions'),
);
const cited = citing.flatMap((file) =>
	[...text(file).matchAll(CITED)].flatMap(([, ...places]) => places.join().match(/[AE]\d+/g) ?? []),
);

it('has every decision that is cited', () => {
	expect(cited.length).toBeGreaterThan(50);
	expect(cited.filter((id) => !entries.has(id))).toEqual([]);
});

it('names the tests of every decision, and they exist', () => {
	const named = [...entries].map(([id, entry]) => {
		const [, paths = ''] = /^- \*\*Tests\.\*\* ([^]*)/m.exec(entry) ?? [];
		return { id, paths: paths.match(/(?<=`)[^`\s,]+(?=`)/g) ?? [] };
	});
	expect(named.filter(({ paths }) => paths.length === 0)).toEqual([]);
	const files = named.flatMap(({ id, paths }) => paths.map((path) => `${id} ${path}`));
	expect(files.filter((each) => !isThere(`test/${each.split(' ')[1]}.test.ts`))).toEqual([]);
});
