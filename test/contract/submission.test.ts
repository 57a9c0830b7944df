import { name, repository } from '../../package.json';
import { testFiles } from '../support/test-files.mts';
import { text } from '../support/shipped.mts';
import { categories } from '../../nodes/CommunityPlatform/CommunityPlatform.node.json';
import { DESCRIPTIONS } from '../support/builder.mts';

const page = text('docs/submission.md');

/** What stands beside a label in the table. */
function entered(label: string): string | undefined {
	return new RegExp(`^\\| ${label} \\| (.*) \\|$`, 'm').exec(page)?.[1];
}

/** What is quoted below a title, as it is pasted into the form. */
function quoted(title: string): string {
	const [, quote] = new RegExp(`\\*\\*${title}.*\\n\\n((?:> .*\\n)+)`).exec(page) ?? [];
	return quote.replace(/^> /gm, '').replace(/\n/g, ' ').trim();
}

describe('What is entered in the portal', () => {
	it('is what package.json and the nodes say', () => {
		expect(entered('npm package')).toBe(`\`${name}\``);
		expect(entered('Repository')).toBe(`\`${repository.url.replace(/\.git$/, '')}\``);
		expect(entered('Categories')).toBe(categories.join('; '));
		const names = DESCRIPTIONS.map(({ displayName }) => displayName);
		expect(
			entered('Nodes')
				?.replace(/ \([^)]*\)/g, '')
				.split(', '),
		).toEqual(names);
	});

	it('has a short description as long as the form takes', () => {
		expect(quoted('Short description').length).toBeGreaterThanOrEqual(250);
		expect(quoted('Short description').length).toBeLessThanOrEqual(300);
		expect(quoted('Long description').length).toBeGreaterThan(300);
	});

	it('names tests that exist', () => {
		const named = [...page.matchAll(/\]\(\.\.\/(test\/[^)]*)\)/g)].map(([, file]) => file);
		expect(named.filter((file) => !testFiles.includes(file))).toEqual([]);
	});

	it('has a script for a video of five minutes at most, in its order', () => {
		const times = [...page.matchAll(/^\| (\d):(\d\d) \|/gm)].map(([, m, s]) => +m * 60 + +s);
		expect(times).toEqual([...times].sort((a, b) => a - b));
		expect(times.length).toBeGreaterThan(5);
		expect(times.at(-1)).toBeLessThan(300);
	});
});
