import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ROOT = join(__dirname, '../..');

interface Import {
	by: string;
	of: string;
}

/** A file of the project. */
export function text(path: string): string {
	return readFileSync(join(ROOT, path), 'utf8');
}

/** The sources of what is shipped. */
export const files = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => join(folder, name)),
);

/** What they import of each other. */
export const imports = files.flatMap((by) =>
	[...text(by).matchAll(/from '(\.[^']*)'/g)].map(([, path]): Import => {
		const target = join(ROOT, dirname(by), path);
		const found = [`${target}.ts`, join(target, 'index.ts'), target].find(existsSync);
		return { by, of: relative(ROOT, found ?? 'nowhere') };
	}),
);

/** The `index.ts` of a folder, if it has one. */
export function doorOf(file: string): string {
	return join(dirname(file), 'index.ts');
}
