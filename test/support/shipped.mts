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

/** The files in folders of the project, without installed packages. */
export function filesIn(...folders: string[]): string[] {
	return folders.flatMap((folder) =>
		readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
			const path = join(folder, entry.name);
			if (entry.name === 'node_modules') return [];
			return entry.isDirectory() ? filesIn(path) : [path];
		}),
	);
}

/** The published sources. */
export const files = filesIn('nodes', 'credentials').filter((path) => path.endsWith('.ts'));
