import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Finds the path of a program like a shell. Undefined if there is no executable one. */
export function which(program: string): string | undefined {
	const folders = program.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
	return folders.map((folder) => join(folder, program)).find(isProgram);
}

function isProgram(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return statSync(path).isFile();
	} catch {
		return false;
	}
}
