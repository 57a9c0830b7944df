import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives n8n-core a folder for its settings that is gone with this process, in place of `~/.n8n`. To be called before n8n runs anything. */
export function useOwnUserFolder(): void {
	const folder = mkdtempSync(join(tmpdir(), 'community-platform-n8n-'));
	process.env.N8N_USER_FOLDER = folder;
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
