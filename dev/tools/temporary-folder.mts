import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whenThisProcessIsGone } from './last-will.mts';

/**
 * Makes a folder that is removed with this process.
 *
 * @param name prefix of its name
 * @returns its path, and a function that removes it now
 */
export async function temporaryFolder(
	name: string,
): Promise<{ path: string; remove: () => Promise<void> }> {
	const path = await mkdtemp(join(tmpdir(), `${name}-`));
	// Slightly later, because programs that write into it end the same way.
	const cancel = whenThisProcessIsGone('sleep 1; rm -rf -- "$0"', path);
	return {
		path,
		remove: async () => {
			await rm(path, { recursive: true, force: true, maxRetries: 5 });
			cancel();
		},
	};
}
