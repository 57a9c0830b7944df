import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Sets a folder for n8n-core's settings that is removed with this process, instead of `~/.n8n`. Call it before n8n
 * runs.
 */
export function useOwnUserFolder(): void {
	const folder = mkdtempSync(join(tmpdir(), 'community-platform-n8n-'));
	process.env.N8N_USER_FOLDER = folder;
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
