import { join } from 'node:path';
import { execa } from 'execa';
import { PROJECT_FOLDER } from '../../dev/n8n/paths.mts';

const PROGRAM = join(PROJECT_FOLDER, 'dev/first-contact/main.mts');
/** The API key in the environment. */
export const KEY = 'the-secret-key';

/** Runs the command to its end without pauses, and checks that it does not print the key. */
export async function firstContact(args: string[]) {
	const { all, exitCode } = await execa(
		process.execPath,
		['--import', 'tsx', PROGRAM, '--pause', '0', ...args],
		{ all: true, reject: false, env: { COMMUNITY_API_KEY: KEY, COMMUNITY_SOURCE_SYSTEM: 'acme' } },
	);
	expect(all).not.toContain(KEY);
	return { all, exitCode };
}
