import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { MissingRequirement } from './requirements.mts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Finds the browser that the editor is tested in: the environment variable CHROMIUM, or else the first
 * of Chromium's usual names that is on the PATH.
 *
 * @returns the program's path
 * @throws MissingRequirement if there is none
 */
export function chromiumBinary(): string {
	const { CHROMIUM, PATH = '' } = process.env;
	const candidates = CHROMIUM
		? [CHROMIUM]
		: NAMES.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)));
	const found = candidates.find(isProgram);
	if (found !== undefined) return found;
	throw new MissingRequirement([
		CHROMIUM
			? `a browser: CHROMIUM names ${CHROMIUM}, which is not a program`
			: `a browser: none of ${NAMES.join(', ')} is on the PATH. Install it (Debian: apt-get install chromium), or name it in CHROMIUM`,
	]);
}

function isProgram(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
