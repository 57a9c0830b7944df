import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { PROJECT_FOLDER } from '../../dev/n8n/paths.mts';
import { temporaryFolder } from '../../dev/tools/temporary-folder.mts';

const PROGRAM = join(PROJECT_FOLDER, 'dev/first-contact/main.mts');
/** The API key that is in the environment unless told otherwise. */
export const KEY = 'the-secret-key';

/** Runs the command to its end, without pauses. */
export async function firstContact(args: string[], env: Record<string, string> = {}) {
	const { stdout, stderr, exitCode } = await execa(
		process.execPath,
		['--import', 'tsx', PROGRAM, '--pause', '0', ...args],
		{ env: { COMMUNITY_API_KEY: KEY, COMMUNITY_SOURCE_SYSTEM: 'acme', ...env }, reject: false },
	);
	return { stdout, stderr, exitCode };
}

/** The same with `--record`. */
export async function recordedContact(args: string[]) {
	const folder = await temporaryFolder('first-contact');
	const file = join(folder.path, 'answers.json');
	try {
		const ended = await firstContact([...args, '--record', file]);
		return { ...ended, recording: await readFile(file, 'utf8') };
	} finally {
		await folder.remove();
	}
}
