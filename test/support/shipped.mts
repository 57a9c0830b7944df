import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

export function text(path: string): string {
	return readFileSync(join(ROOT, path), 'utf8');
}

/** Whether the project has such a file. */
export function isThere(path: string): boolean {
	return existsSync(join(ROOT, path));
}

/** The paths of the files in a folder of the project with an ending. */
export function filesIn(folder: string, ending: string, recursive = true): string[] {
	return readdirSync(join(ROOT, folder), { recursive, encoding: 'utf8' })
		.filter((name) => name.endsWith(ending))
		.map((name) => join(folder, name));
}

/** The published sources. */
export const files = ['nodes', 'credentials'].flatMap((folder) => filesIn(folder, '.ts'));
