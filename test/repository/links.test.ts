import { homepage } from '../../package.json';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { operationsOf } from '../support/description.mts';
import { files, isThere, text } from '../support/shipped.mts';

const HOME = homepage.replace(/#.*/, '');
const linking = [...files, 'package.json'].filter((file) => text(file).includes(HOME));

// In documents, `npm run lint:documents` checks them.
it('published texts link only to existing pages and headings', () => {
	const links = linking.flatMap(
		(file) => text(file).match(/https:\/\/github\.com[^\s'"`<>)]*/g) ?? [],
	);
	const own = [...new Set(links)].filter((link) => link.startsWith(HOME));
	expect(own.length).toBeGreaterThan(3);
	expect(own.filter((link) => !isAlive(link))).toEqual([]);
});

it('docs/operations.md has every operation', () => {
	const keys = operationsOf(new CommunityPlatform().description.properties).map(({ key }) => key);
	expect(keys.filter((key) => !text('docs/operations.md').includes(`| \`${key}\` |`))).toEqual([]);
});

function isAlive(link: string): boolean {
	const { pathname, hash } = new URL(link);
	const page = /\/blob\/main\/(.+)$/.exec(pathname)?.[1] ?? 'README.md';
	if (!isThere(page)) return false;
	return ['', '#readme', ...headingsOf(page)].includes(hash);
}

// GitHub's anchors, which have no suffix if all headings are unique.
function headingsOf(page: string): string[] {
	const headings = [...text(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);
	return headings.map(
		(heading) =>
			`#${heading
				.toLowerCase()
				.replace(/[^\p{L}\p{N}_\- ]/gu, '')
				.replaceAll(' ', '-')}`,
	);
}
