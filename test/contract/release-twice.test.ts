import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { PROJECT_FOLDER } from '../../n8n/paths.mts';
import { temporaryFolder } from '../../tools/temporary-folder.mts';

const NAME = 'release tests';
const AUTHOR = { name: NAME, email: 'tests@example.com' };
const env = {
	...{ GIT_AUTHOR_NAME: AUTHOR.name, GIT_AUTHOR_EMAIL: AUTHOR.email },
	...{ GIT_COMMITTER_NAME: AUTHOR.name, GIT_COMMITTER_EMAIL: AUTHOR.email },
	...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
};

/** A repository of its own with the files of this one as they are now. */
async function useRepository(folder: string) {
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
		await execa(process.execPath, ['--import', 'tsx', 'scripts/release.mts', ...args], {
			...{ cwd: folder, env, reject: false },
		});
	const change = async (file: string, from: string, to: string) => {
		const path = join(folder, file);
		await writeFile(path, (await readFile(path, 'utf8')).replace(from, to));
		await git('commit', '--quiet', '--all', '--message', `Change ${file}`);
	};
	return { git, release, change };
}

describe('Releases one after another', () => {
	let folder: Awaited<ReturnType<typeof temporaryFolder>>;
	beforeAll(async () => {
		folder = await temporaryFolder('community-platform-release');
	});
	afterAll(async () => await folder.remove());

	it('each keep their workflows, and can be published', async () => {
		const { git, release, change } = await useRepository(folder.path);
		for (const version of ['0.2.0', '0.3.0']) {
			const { stdout, stderr } = await release('minor');

			expect(stderr).toBe('');
			expect(stdout).toContain(`To publish ${version}: git push --follow-tags`);
			expect(await git('status', '--porcelain')).toBe('');
			expect(await git('describe', '--exact-match')).toBe(version);
			expect((await release('--check', version)).stdout).toBe(`${version} can be published`);
			await change(
				'CHANGELOG.md',
				'## Unreleased\n',
				'## Unreleased\n\n### Fixed\n\n- Something\n',
			);
		}
		const kept = (await git('ls-files', 'test/workflows')).split('\n');
		const ofFirst = kept.filter((file) => file.startsWith('test/workflows/0.1.0/'));
		expect(ofFirst.length).toBeGreaterThan(0);
		for (const version of ['0.2.0', '0.3.0']) {
			expect(kept).toEqual(
				expect.arrayContaining(ofFirst.map((file) => file.replace('/0.1.0/', `/${version}/`))),
			);
		}
		const tests = ['test', '--', 'test/contract/kept-workflows', 'test/contract/release.test'];
		const checked = await execa('npm', tests, { cwd: folder.path, reject: false, all: true });
		expect([checked.exitCode, checked.exitCode === 0 ? '' : checked.all]).toEqual([0, '']);
	}, 120_000);

	it('change nothing where an example could not be replayed', async () => {
		const other = await temporaryFolder('community-platform-release');
		const { git, release } = await useRepository(other.path);
		await rm(join(other.path, 'test/workflows/0.1.0/weekly-tag-refresh.replay.json'));
		await git('commit', '--quiet', '--all', '--message', 'Lose a replay');
		const before = await git('rev-parse', 'HEAD');
		const { stderr, exitCode } = await release('minor');
		const after = [await git('rev-parse', 'HEAD'), await git('status', '--porcelain')];
		await other.remove();

		expect(stderr).toContain('put one for weekly-tag-refresh.json into');
		expect(exitCode).toBe(1);
		expect(after).toEqual([before, '']);
	}, 60_000);
});
