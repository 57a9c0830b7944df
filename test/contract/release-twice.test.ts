import { temporaryFolder } from '../../tools/temporary-folder.mts';
import { makeRepository } from '../support/repository.mts';

describe('Releases one after another', () => {
	let folder: Awaited<ReturnType<typeof temporaryFolder>>;
	beforeAll(async () => {
		folder = await temporaryFolder('community-platform-release');
	});
	afterAll(async () => await folder.remove());

	it('each keep their workflows, and can be published', async () => {
		const { git, release, change, test } = await makeRepository(folder.path);
		for (const version of ['0.2.0', '0.3.0']) {
			const { stdout, stderr } = await release('minor');

			expect(stderr).toBe('');
			expect(stdout).toContain(`To publish ${version}: git push --follow-tags`);
			expect(await git('status', '--porcelain')).toBe('');
			expect(await git('describe', '--exact-match')).toBe(version);
			const compose = await git('show', 'HEAD:examples/queue-mode/compose.yaml');
			expect(compose).toContain(`n8n-nodes-community-platform@${version}\n`);
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
		expect(await test('test/contract/kept-workflows', 'test/contract/release.test')).toBe('');
	}, 120_000);

	it('change nothing where an example could not be replayed', async () => {
		const other = await temporaryFolder('community-platform-release');
		const { git, release, remove } = await makeRepository(other.path);
		await remove('test/workflows/0.1.0/weekly-tag-refresh.replay.json');
		const before = await git('rev-parse', 'HEAD');
		const { stderr, exitCode } = await release('minor');
		const after = [await git('rev-parse', 'HEAD'), await git('status', '--porcelain')];
		await other.remove();

		expect(stderr).toContain('put one for weekly-tag-refresh.json into');
		expect(exitCode).toBe(1);
		expect(after).toEqual([before, '']);
	}, 60_000);
});
