import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT_FOLDER } from '../n8n/paths.mts';
import { documentText } from './documents.mts';

const FENCED = /^ *(```+)[^\n]*\n[\s\S]*?^ *\1 *$/gm;
const INLINE_CODE = /(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g;
const LINK = /\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g;
const BARE_ADDRESS = /\bhttps?:\/\/[\w-][^\s)<>"'`*]*/g;
/** GitHub's own anchor for a README, which needs no heading. */
const README_ANCHOR = 'readme';

/**
 * Where a document's links lead that stay within the project.
 *
 * @param text Markdown
 * @returns targets as they are written, pictures included
 */
export function linksWithin(text: string): string[] {
	return linksIn(text).filter((target) => !/^[a-z]+:/i.test(target));
}

/**
 * The hosts that a text refers to outside of code, in links or as they are.
 *
 * @param text Markdown
 */
export function hostsIn(text: string): string[] {
	const addresses = withoutCode(text).match(BARE_ADDRESS) ?? [];
	return [...new Set(addresses.map((address) => new URL(address).hostname))];
}

/**
 * What is wrong with a link, if anything.
 *
 * @param document the document that it stands in, from the folder of the project
 * @param target as it is written, without a host
 */
export function deadLink(document: string, target: string): string | undefined {
	const [path, anchor] = target.split('#');
	const file = path === '' ? document : join(dirname(document), decodeURI(path));
	if (!existsSync(join(PROJECT_FOLDER, file))) return `${document}: there is no ${target}`;
	if (anchor === undefined) return undefined;
	if (anchorsOf(documentText(file)).includes(anchor)) return undefined;
	return `${document}: there is no heading for ${target}`;
}

/**
 * The links to the project's own pages on GitHub whose page or heading is not there.
 *
 * @param text any file of the project
 * @param home the address of the project on GitHub
 */
export function deadLinksHome(text: string, home: string): string[] {
	return (text.match(BARE_ADDRESS) ?? []).filter((address) => {
		if (!address.startsWith(home)) return false;
		const { pathname, hash } = new URL(address);
		const below = pathname.slice(new URL(home).pathname.length);
		const [, file = 'README.md'] = /^\/blob\/[^/]+\/(.+)$/.exec(below) ?? [];
		const anchor = hash.slice(1);
		if (file === 'README.md' && ['', README_ANCHOR].includes(anchor)) return false;
		return deadLink('README.md', anchor ? `${file}#${anchor}` : file) !== undefined;
	});
}

/**
 * The anchors that GitHub gives a document's headings: letters, digits, hyphens and underscores in lower
 * case, spaces as hyphens, and numbers where that is not unique.
 *
 * @param text Markdown
 */
export function anchorsOf(text: string): string[] {
	const seen = new Map<string, number>();
	const headings = text.replace(FENCED, '').matchAll(/^#{1,6} +(.+?) *#*$/gm);
	return [...headings].map(([, heading]) => {
		const shown = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');
		const slug = shown
			.toLowerCase()
			.replace(/[^\p{L}\p{M}\p{N}_\- ]/gu, '')
			.replaceAll(' ', '-');
		const times = seen.get(slug) ?? 0;
		seen.set(slug, times + 1);
		return times === 0 ? slug : `${slug}-${times}`;
	});
}

function linksIn(text: string): string[] {
	return [...withoutCode(text).matchAll(LINK)].map(([, target]) => target);
}

function withoutCode(text: string): string {
	return text.replace(FENCED, '').replace(INLINE_CODE, '');
}
