import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

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
