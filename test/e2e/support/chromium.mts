import which from 'which';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Finds the browser that the editor is tested in: the environment variable CHROMIUM, or else the first of
 * Chromium's usual names that is on the PATH.
 *
 * @returns the program's path
 * @throws if there is none
 */
export function chromiumBinary(): string {
	const { CHROMIUM } = process.env;
	for (const name of CHROMIUM ? [CHROMIUM] : NAMES) {
		const found = which.sync(name, { nothrow: true });
		if (found !== null) return found;
	}
	throw new Error(
		`No browser: none of ${CHROMIUM ?? NAMES.join(', ')} is on the PATH. Install Chromium, or name it in CHROMIUM`,
	);
}
