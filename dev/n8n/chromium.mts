import { programOnPath } from '../tools/programs.mts';
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
	const { CHROMIUM } = process.env;
	for (const name of CHROMIUM ? [CHROMIUM] : NAMES) {
		const found = programOnPath(name);
		if (found !== undefined) return found;
	}
	throw new MissingRequirement([
		CHROMIUM
			? `a browser: CHROMIUM names ${CHROMIUM}, which is not a program`
			: `a browser: none of ${NAMES.join(', ')} is on the PATH. Install it (Debian: apt-get install chromium), or name it in CHROMIUM`,
	]);
}
