import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../../../dev/n8n/paths.mts';
import { run } from '../../../dev/tools/processes.mts';
import { temporaryFolder } from '../../../dev/tools/temporary-folder.mts';

/** A clone of the project, without changes that are not committed. */
export interface Clone {
	/** Runs a program in it, and returns its output. */
	run: (...command: string[]) => Promise<string>;
	read: (file: string) => Promise<string>;
	/** Replaces a text in one of its files. */
	replace: (file: string, what: string, by: string) => Promise<void>;
}

const SETTINGS = {
	'user.name': 'A maintainer',
	'user.email': 'a@maintainers.test',
	'core.hooksPath': '/dev/null',
};
// What Jest and these tests set. With NODE_ENV=test, the rules of n8n's scanner report each file.
const OF_TESTS = ['PACKED', 'TEST_E2E', 'NODE_ENV', 'NODE_OPTIONS'];

/**
 * Clones the project, with the dependencies that are installed here.
 *
 * @param env settings for its programs, beside those of a maintainer's terminal
 */
export async function cloneProject(env: Record<string, string>): Promise<Clone> {
	const folder = await temporaryFolder('community-platform-clone');
	const cwd = join(folder.path, 'clone');
	const own = Object.entries(process.env).filter(([name]) => !OF_TESTS.includes(name));
	const clone: Clone = {
		run: async (...command) =>
			await run(command, { cwd, env: { ...Object.fromEntries(own), ...env } }),
		read: async (file) => await readFile(join(cwd, file), 'utf8'),
		async replace(file, what, by) {
			await writeFile(
				join(cwd, file),
				(await clone.read(file)).replaceAll(what, () => by),
			);
		},
	};
	await run(['git', 'clone', '--quiet', PROJECT_FOLDER, cwd]);
	// .gitignore excludes only the folder.
	await writeFile(join(cwd, '.git/info/exclude'), 'node_modules\n');
	await symlink(join(PROJECT_FOLDER, 'node_modules'), join(cwd, 'node_modules'));
	for (const setting of Object.entries(SETTINGS)) await clone.run('git', 'config', ...setting);
	return clone;
}
