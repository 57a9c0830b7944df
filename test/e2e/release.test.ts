import { outputOf } from '../../dev/n8n/client.mts';
import { PACKAGE_NAME } from '../../dev/n8n/paths.mts';
import { type Sandbox, startSandbox } from '../../sandbox/server.mts';
import { runToEnd } from './support/by-hand.mts';
import { type Clone, cloneProject } from './support/clone.mts';
import { type N8n, startN8n } from './support/n8n.mts';
import { type Registry, startRegistry } from './support/registry.mts';
import { credentialFor } from './support/use-fixture.mts';
import { saveWorkflow } from './support/workflow.mts';

const REPOSITORY = `people/${PACKAGE_NAME}`;
const PLACEHOLDER = `community-platform/${PACKAGE_NAME}`;
const CHANGE = '- A change of this test';

let clone: Clone;
let registry: Registry;
let sandbox: Sandbox;
let n8n: N8n;

beforeAll(async () => {
	registry = await startRegistry();
	const address = { npm_config_registry: 'https://registry.test/' };
	clone = await cloneProject({ ...registry.env, ...address });
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.close();
	registry?.close();
});

const npmRun = async (...command: string[]) => await clone.run('npm', 'run', ...command);

/** Replaces the placeholders that docs/maintaining.md names, and adds a change to the changelog. */
async function prepare(): Promise<void> {
	const files = await clone.run('git', 'grep', '--files-with-matches', PLACEHOLDER);
	for (const file of files.trim().split('\n')) await clone.replace(file, PLACEHOLDER, REPOSITORY);
	await clone.replace('package.json', 'community-platform.example"', 'maintainers.test"');
	await clone.replace('CHANGELOG.md', '### Fixed\n', `### Fixed\n\n${CHANGE}\n`);
	await clone.run('git', 'commit', '--quiet', '--all', '--message', 'Replace the placeholders');
}

test('a release passes each step up to the registry, and n8n installs and runs it', async () => {
	const { version } = JSON.parse(await clone.read('package.json')) as { version: string };
	const isReleased = (await clone.read('CHANGELOG.md')).includes(`## [${version}]`);
	const wanted = isReleased ? 'patch' : version;
	const release = async () => await npmRun('release', '--', wanted, '--stale-pictures');
	const isPlaceholder = (await clone.read('package.json')).includes('.example"');
	if (isPlaceholder) await expect(release()).rejects.toThrow('placeholders');
	await prepare();

	const released = /To publish (\S+): git push/.exec(await release())![1];

	expect(isReleased).toBe(released !== version);
	const [lists, dated] = (await clone.read('CHANGELOG.md')).split(`## [${released}] - `);
	expect(lists).toMatch(/## \[Unreleased\]\n\n### Added\n\n### Changed\n\n### Fixed\n\n$/);
	expect(dated).toContain(`### Fixed\n\n${CHANGE}\n`);
	expect(dated).toContain(`/compare/${released}...main\n[${released}]: https://`);
	expect(await clone.run('git', 'status', '--porcelain')).toBe('');
	expect(await clone.run('git', 'tag', '--points-at', 'HEAD')).toBe(`${released}\n`);
	const checked = await npmRun('release', '--', '--check', released);
	expect(checked).toContain(`${released} can be published`);
	await clone.run('npx', 'prettier', '--check', 'CHANGELOG.md', 'test/workflows');
	await npmRun('lint:links');
	await clone.run('npx', 'jest', 'test/repository/versions', 'test/repository/links');
	expect(await npmRun('tarball')).toContain('No finding');
	// Only GitHub can sign the provenance.
	const token = '--//registry.test/:_authToken=a-token';
	await clone.run('npm', 'publish', '--no-provenance', '--tag', 'latest', token);

	n8n = await startN8n('n8n-release', registry.env, false);
	const name = `${PACKAGE_NAME}@${released}`;
	const installed = await n8n.client.call('POST', '/community-packages', { name });
	expect(installed).toHaveProperty('installedVersion', released);
	sandbox = await startSandbox({ members: 30 });
	const credential = await credentialFor(n8n.client, sandbox);
	const workflow = await saveWorkflow({ ...n8n, credential }, 'Look at the roles', [
		{ name: 'Roles', parameters: { resource: 'role', operation: 'getAll', returnAll: true } },
	]);
	const roles = outputOf(await runToEnd(n8n, workflow), 'Roles');
	expect(roles).toHaveLength(sandbox.community.roles.size);
});
