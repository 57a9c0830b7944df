import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../n8n/paths.mts';

// npm adds the first three whatever package.json says; the fourth is where the User-Agent has its version from.
const ALWAYS = ['LICENSE', 'README.md', 'package.json', 'dist/package.json'];

/**
 * What the published package must consist of, read off the sources: one compiled file for each of them, the
 * codex files, the output previews and the icons.
 *
 * @returns paths from the package's root, sorted
 */
export function expectedContents(): string[] {
	const sources = ['nodes', 'credentials'].flatMap((folder) => filesIn(PROJECT_FOLDER, folder));
	const icons = filesIn(PROJECT_FOLDER, 'icons').filter((file) => file.endsWith('.svg'));
	const built = [...sources, ...icons]
		.filter((file) => /\.(ts|json|svg)$/.test(file))
		.map((file) => join('dist', file.replace(/\.ts$/, '.js')));
	return [...ALWAYS, ...built].sort();
}

/**
 * Compares a package with what it must consist of.
 *
 * @param folder with an unpacked package
 * @returns a line for each file that is missing or unexpected
 */
export function wrongContents(folder: string): string[] {
	const found = filesIn(folder, '.');
	const expected = expectedContents();
	return [
		...expected.filter((file) => !found.includes(file)).map((file) => `${file} is missing`),
		...found.filter((file) => !expected.includes(file)).map((file) => `${file} is not expected`),
	];
}

/** The files in a folder and all folders in it, as paths from `root`. */
export function filesIn(root: string, folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}
