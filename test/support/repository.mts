import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { PROJECT_FOLDER } from '../../dev/n8n/paths.mts';

const NAME = 'release tests';
const AUTHOR = { name: NAME, email: 'tests@example.com' };
const env = {
	...{ GIT_AUTHOR_NAME: AUTHOR.name, GIT_AUTHOR_EMAIL: AUTHOR.email },
	...{ GIT_COMMITTER_NAME: AUTHOR.name, GIT_COMMITTER_EMAIL: AUTHOR.email },
	...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
};

/**
 * Makes a repository of its own with the files of this one as they are now.
 *
 * @param folder an existing, empty folder
 */
export async function makeRepository(folder: string) {
	const here = await execa(
		'git',
		['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
		{
			cwd: PROJECT_FOLDER,
		},
	);
	for (const file of here.stdout.split('\0').filter(Boolean)) {
		await mkdir(dirname(join(folder, file)), { recursive: true });
		// A file that was removed and not committed is listed, too.
		await cp(join(PROJECT_FOLDER, file), join(folder, file)).catch(() => undefined);
	}
	await symlink(join(PROJECT_FOLDER, 'node_modules'), join(folder, 'node_modules'));
	const git = async (...args: string[]) => (await execa('git', args, { cwd: folder, env })).stdout;
	await git('init', '--quiet', '--initial-branch', 'main');
	await writeFile(join(folder, '.git/info/exclude'), 'node_modules\n');
	await git('add', '--all');
	await git('commit', '--quiet', '--message', 'Begin');
	const release = async (...args: string[]) =>
		await execa(process.execPath, ['--import', 'tsx', 'dev/scripts/release.mts', ...args], {
			...{ cwd: folder, env, reject: false },
		});
	const change = async (file: string, from: string, to: string) => {
		const path = join(folder, file);
		await writeFile(path, (await readFile(path, 'utf8')).replace(from, to));
		await git('commit', '--quiet', '--all', '--message', `Change ${file}`);
	};
	const remove = async (file: string) => {
		await rm(join(folder, file));
		await git('commit', '--quiet', '--all', '--message', `Remove ${file}`);
	};
	/** Runs some of its tests, and gives what they said unless they passed. */
	const test = async (...paths: string[]) => {
		const options = { cwd: folder, reject: false, all: true } as const;
		const { exitCode, all } = await execa('npm', ['test', '--', ...paths], options);
		return exitCode === 0 ? '' : String(all);
	};
	return { git, release, change, remove, test };
}
