import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Makes a folder with files as an unpacked package has them.
 *
 * @param files their texts by path
 * @returns the folder, and a function that removes it
 */
export function madeUpPackage(files: Record<string, string>): {
	folder: string;
	remove: () => void;
} {
	const folder = mkdtempSync(join(tmpdir(), 'made-up-package-'));
	for (const [path, text] of Object.entries(files)) {
		const file = join(folder, path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
	}
	return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
