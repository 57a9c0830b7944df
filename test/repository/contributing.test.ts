import { files, filesIn, text } from '../support/shipped.mts';

const others = filesIn('dev', 'docs', 'examples', 'icons', 'sandbox', 'test');
const paths = [...files, ...others].map((path) => `/${path}`);
const isCode = (path: string) => /\.m?ts$/.test(path) && !path.endsWith('contributing.test.ts');
const code = [...files, ...others]
	.filter(isCode)
	.map((path) => text(path))
	.join('\n');

const page = text('CONTRIBUTING.md').replaceAll(/^ *```[^]*?^ *```/gm, '');
const spans = [...new Set([...page.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span))];

describe('CONTRIBUTING.md', () => {
	it('names only files and folders that exist', () => {
		const named = spans.filter((span) => /^[\w./-]+(?:\.m?ts|\/)$/.test(span));
		const unknown = named.filter((span) => !isPath(span));
		expect(named.length).toBeGreaterThan(50);
		expect(unknown.filter((span) => span !== 'dist/')).toEqual([]);
	});

	it('names only functions, classes and constants that exist', () => {
		const named = spans.filter((span) => /^(?=.*[A-Z])[A-Za-z_]+$/.test(span));
		expect(named.length).toBeGreaterThan(50);
		expect(named.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
	});
});

function isPath(span: string): boolean {
	if (!span.endsWith('/')) return paths.some((path) => path.endsWith(`/${span}`));
	return paths.some((path) => path.includes(`/${span}`));
}
