import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whenThisProcessIsGone } from './last-will.mts';

/**
 * Makes a folder that does not outlive this process.
 *
 * @param name how its name begins
 * @returns its path, and a function that removes it now
 */
export async function temporaryFolder(
	name: string,
): Promise<{ path: string; remove: () => Promise<void> }> {
	const path = await mkdtemp(join(tmpdir(), `${name}-`));
	// A moment later than the programs that write into it, which end the same way.
	const callOff = whenThisProcessIsGone('sleep 1; rm -rf -- "$0"', path);
	return {
		path,
		remove: async () => {
			await rm(path, { recursive: true, force: true, maxRetries: 5 });
			callOff();
		},
	};
}
