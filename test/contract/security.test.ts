import { testFiles } from '../support/test-files.mts';
import { text } from '../support/shipped.mts';

const sections = text('docs/security.md').split(/^## /m).slice(1);
const testsIn = (section: string) =>
	[...section.matchAll(/\]\(\.\.\/(test\/[^)]*)\)/g)].map(([, file]) => file);

describe('docs/security.md', () => {
	it.each(sections.map((section) => [section.split('\n')[0], section]))(
		'names tests that exist: %s',
		(_, section) => {
			const named = testsIn(section);
			expect(named).not.toEqual([]);
			expect(named.filter((file) => !testFiles.includes(file))).toEqual([]);
		},
	);

	it('calls each test by the name of its file', () => {
		const called = [...text('docs/security.md').matchAll(/\[([\w-]+)\]\(\.\.\/test\/([^)]*)\)/g)];
		const wrong = called.filter(([, name, path]) => !path.endsWith(`/${name}.test.ts`));
		expect(wrong.map(([whole]) => whole)).toEqual([]);
	});

	it('goes through what was asked for', () => {
		expect(sections.map((section) => section.split('\n')[0])).toEqual([
			...['Forged deliveries', 'Leaked keys', 'A base URL that points inside the network'],
			...['Redirects', 'HTML in content', 'Huge answers', 'Prompt injection through posts'],
			'The package itself',
		]);
	});
});
