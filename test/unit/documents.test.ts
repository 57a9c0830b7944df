import { homepage } from '../../package.json';
import { commandsIn, deadCommand } from '../../dev/scripts/document-commands.mts';
import {
	anchorsOf,
	deadLink,
	deadLinksHome,
	hostsIn,
	linksWithin,
} from '../../dev/scripts/document-links.mts';
import { documents, documentText, projectFiles } from '../../dev/scripts/documents.mts';

/** With what is below them; the last one is kept free for examples. Nothing is asked over the network. */
const HOSTS = [
	...['n8n.io', 'github.com', 'npmjs.com', 'keepachangelog.com', 'semver.org'],
	'example.com',
];
const HOME = homepage.replace(/#.*/, '');
const FOLDERS = /^(api|bench|credentials|docs|examples|n8n|nodes|sandbox|scripts|test|tools)\//;

const files = projectFiles();
const all = documents();

describe.each(all)('%s', (document) => {
	const text = documentText(document);

	it('links only to files and headings that are there', () => {
		const links = linksWithin(text);
		expect(links.flatMap((target) => deadLink(document, target) ?? [])).toEqual([]);
	});

	it('links only to hosts that are known', () => {
		const isKnown = (host: string) =>
			HOSTS.some((known) => host === known || host.endsWith(`.${known}`));
		expect(hostsIn(text).filter((host) => !isKnown(host))).toEqual([]);
	});

	it('names only commands that can be run', () => {
		expect(commandsIn(text).flatMap((command) => deadCommand(command, files) ?? [])).toEqual([]);
	});

	it('names only files that are there', () => {
		const named = [...text.matchAll(/`([\w./-]+)`/g)].map(([, path]) => path);
		const missing = named
			.filter((path) => FOLDERS.test(path))
			.filter((path) => !files.some((file) => file === path || file.startsWith(path)));
		expect(missing).toEqual([]);
	});
});

it('documents of every folder are looked at', () => {
	expect(all).toEqual(
		expect.arrayContaining([
			'README.md',
			'docs/operations.md',
			'dev/tools/README.md',
			'dev/n8n/README.md',
		]),
	);
});

it('what is shipped links only to headings that are there', () => {
	const shipped = files.filter((file) => /^(nodes|credentials)\/|^package\.json$/.test(file));
	const linking = shipped.filter((file) => documentText(file).includes(HOME));
	expect(linking).toEqual(
		expect.arrayContaining(['credentials/CommunityPlatformApi.credentials.ts', 'package.json']),
	);
	const dead = linking.flatMap((file) => deadLinksHome(documentText(file), HOME));
	expect(dead).toEqual([]);
});

it('everything in docs/ is linked from where readers begin', () => {
	const beginnings = ['README.md', 'CONTRIBUTING.md'].map(documentText).flatMap(linksWithin);
	const linked = beginnings.map((target) => target.split('#')[0]);
	const pages = all.filter((path) => path.startsWith('docs/'));
	expect(pages.filter((path) => !linked.includes(path))).toEqual([]);
});

// What looks at the documents, looked at itself.
describe('a check', () => {
	it.each([
		['What you get', 'what-you-get'],
		["Where the API's documentation is silent", 'where-the-apis-documentation-is-silent'],
		['Board: Create', 'board-create'],
		['`npm start`, and more', 'npm-start-and-more'],
		['A [link](there.md) in it', 'a-link-in-it'],
		['Über 100 % – done_now', 'über-100---done_now'],
	])('knows the anchor of "%s"', (heading, anchor) => {
		expect(anchorsOf(`# First\n\n## ${heading}\n`)).toEqual(['first', anchor]);
	});

	it('numbers headings that are there twice, and passes over code', () => {
		expect(anchorsOf('# A\n```sh\n# not one\n```\n## A\n## A\n')).toEqual(['a', 'a-1', 'a-2']);
	});

	it.each([
		['docs/none.md', 'README.md: there is no docs/none.md'],
		['#nowhere', 'README.md: there is no heading for #nowhere'],
		['docs/editor.md#nowhere', 'README.md: there is no heading for docs/editor.md#nowhere'],
		['docs/editor.md#finding-it', undefined],
		['sandbox/', undefined],
	])('finds what is wrong with %s', (target, wrong) => {
		expect(deadLink('README.md', target)).toBe(wrong);
	});

	it('finds what is wrong with links home', () => {
		const dead = [`${HOME}#nowhere`, `${HOME}/blob/main/docs/none.md`];
		const alive = [`${HOME}#readme`, `${HOME}#credential`, `${HOME}/blob/main/docs/editor.md`];
		const text = [...dead, ...alive].map((address) => `'${address}'`).join('\n');
		expect(deadLinksHome(text, HOME)).toEqual(dead);
	});

	it('sees links and hosts in text, and none in code', () => {
		const text =
			'[a\nb](c.md "d") `[e](f.md)` ![g](h.png) [i](https://n8n.io/j) <http://k.example>';
		expect(linksWithin(text)).toEqual(['c.md', 'h.png']);
		expect(hostsIn(text)).toEqual(['n8n.io', 'k.example']);
	});

	it.each([
		['npm run lint', true],
		['npm run nothing', false],
		['npm start -- --exit', true],
		['npm begin', false],
		["A_SETTING='[1, 2]' ANOTHER=1 npm run lint", true],
		['A_SETTING=1 npm run nothing', false],
		['export A_SETTING=1', true],
		['npm ci', true],
		['npm test -- test/engine/wire', true],
		['npm test -- test/engine/none', false],
		['npx tsx bench/limiter-plot.mts', true],
		['npx tsx bench/none.mts', false],
		['npx nothing', false],
		['.ci/run', true],
		['.ci/none', false],
	])('tells whether "%s" can be run: %s', (command, isAlive) => {
		expect(deadCommand(command, files) === undefined).toBe(isAlive);
	});

	it('sees commands in blocks for a shell and in the text', () => {
		const text =
			'Run `npm run\n  lint`:\n\n```sh\nnpm ci && npm test # all\n```\n\n```ts\nstart();\n```\n';
		expect(commandsIn(text)).toEqual(['npm run lint', 'npm ci', 'npm test']);
	});
});
