import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn } from './tarball-contents.mts';

// What malware needs and this package does not: n8n's scanner will look for it with GuardDog's rules
// (https://github.com/DataDog/guarddog). Each pattern is wider than the rules that it stands for.
const IN_CODE: Array<[what: string, pattern: RegExp]> = [
	[
		'loads something else than n8n-workflow, crypto and itself',
		/\brequire\((?!["'](?:n8n-workflow|crypto|\.{1,2}\/[\w./-]+|\.{1,2})["']\))/,
	],
	['loads something at run time', /\bimport\(|\bcreateRequire\b|\bmodule\.constructor\b/],
	['runs text as code', /\beval\b|\bFunction\(|\bnew Function\b|\bWebAssembly\b|\bvm\b\./],
	['reaches for the machine', /(?<![.\w])(?:process|globalThis|global|window)(?:\.\w|\[)/],
	['has a way of its own to the network', /(?<![.\w]|async )(?:fetch|XMLHttpRequest|WebSocket)\(/],
	['holds something encoded', /[A-Za-z0-9+/]{120,}|(?:\\x[\da-f]{2}){8,}|\batob\(/i],
	['holds letters that look like others', /[a-z][\u0370-\u047f]|[\u0370-\u047f][a-z]/i],
	['holds invisible characters', /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/],
	['has a line of more than 1,500 characters', /^.{1500,}$/m],
];
const INSTALL_SCRIPTS = /^(?:pre|post)?(?:install|pack|prepare|uninstall)$|^prepublish$/;
// Addresses of documents, examples and the communities' own.
const HOSTS = /^(?:github\.com|docs\.n8n\.io|aws\.amazon\.com|(?:[\w-]+\.)*example\.com\.?)$/;

/**
 * Looks through a package for what a package that does harm would need.
 *
 * @param folder with an unpacked package
 * @returns a line for each finding
 */
export function threats(folder: string): string[] {
	return filesIn(folder, '.').flatMap((file) => {
		const text = readFileSync(join(folder, file), 'utf8');
		const found = [
			...(file.endsWith('.js') ? threatsInCode(text) : []),
			...(file.endsWith('package.json') ? threatsInManifest(text) : []),
		];
		return found.map((finding) => `${file} ${finding}`);
	});
}

/** @returns what a compiled file does that it must not, in words that follow its name */
export function threatsInCode(text: string): string[] {
	const named = IN_CODE.filter(([, pattern]) => pattern.test(text)).map(([what]) => what);
	const hosts = [...text.matchAll(/\bhttps?:\/\/([\w-]+(?:\.[\w-]+)+)/g)].map(([, host]) => host);
	const foreign = [...new Set(hosts)].filter((host) => !HOSTS.test(host));
	return [...named, ...foreign.map((host) => `names ${host}`)];
}

/** @returns what a package.json has that it must not, in words that follow its name */
export function threatsInManifest(text: string): string[] {
	const { scripts = {}, ...manifest } = JSON.parse(text) as Record<string, object>;
	const hooks = Object.keys(scripts).filter((name) => INSTALL_SCRIPTS.test(name));
	const pulled = ['dependencies', 'optionalDependencies', 'bundleDependencies', 'overrides'];
	return [
		...hooks.map((name) => `runs ${name} where it is installed`),
		...pulled.filter((key) => key in manifest).map((key) => `has ${key}`),
	];
}
