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

// Only these are inherited, because npm's settings, variables of CI systems, or what Jest and these tests set would change
// the release: with NODE_ENV=test, the rules of n8n's scanner report each file.
const INHERITED = ['PATH', 'TMPDIR', 'LANG'];
// In the home folder, so that no other git settings apply, e.g. to sign commits.
const GIT_SETTINGS = `
[user]
	name = A maintainer
	email = a@maintainers.test
# On CI systems, the project's files can belong to another account.
[safe]
	directory = *
`;

/**
 * Clones the project, with the dependencies that are installed here and an empty home folder.
 *
 * @param env settings for its programs
 */
export async function cloneProject(env: Record<string, string>): Promise<Clone> {
	const folder = await temporaryFolder('community-platform-clone');
	const cwd = join(folder.path, 'clone');
	const inherited = Object.entries(process.env).filter(([name]) => INHERITED.includes(name));
	const ownEnv = {
		...Object.fromEntries(inherited),
		HOME: folder.path,
		GIT_CONFIG_NOSYSTEM: '1',
		...env,
	};
	const clone: Clone = {
		run: async (...command) => await run(command, { cwd, env: ownEnv }),
		read: async (file) => await readFile(join(cwd, file), 'utf8'),
		async replace(file, what, by) {
			await writeFile(
				join(cwd, file),
				(await clone.read(file)).replaceAll(what, () => by),
			);
		},
	};
	await writeFile(join(folder.path, '.gitconfig'), GIT_SETTINGS);
	await run(['git', 'clone', '--quiet', PROJECT_FOLDER, cwd], { env: ownEnv });
	// .gitignore excludes only the folder.
	await writeFile(join(cwd, '.git/info/exclude'), 'node_modules\n');
	await symlink(join(PROJECT_FOLDER, 'node_modules'), join(cwd, 'node_modules'));
	return clone;
}
