import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { outputOf } from '../../dev/n8n/client.mts';
import { PACKAGE_NAME, PROJECT_FOLDER } from '../../dev/n8n/paths.mts';
import { run } from '../../dev/tools/processes.mts';
import { temporaryFolder } from '../../dev/tools/temporary-folder.mts';
import { type Sandbox, startSandbox } from '../../sandbox/server.mts';
import { runToEnd } from './support/by-hand.mts';
import { type N8n, startN8n } from './support/n8n.mts';
import { type Registry, startRegistry } from './support/registry.mts';
import { credentialFor } from './support/use-stage.mts';
import { saveWorkflow } from './support/workflow.mts';

const OWNER = 'people/connector';
const PLACEHOLDER = 'community-platform/n8n-nodes-community-platform';
const CHANGE = '- A change of this test';

let clone: string;
let registry: Registry;
let sandbox: Sandbox;
let n8n: N8n;

// What Jest and these tests set. With NODE_ENV=test, the rules of n8n's scanner report each file.
const OF_TESTS = ['PACKED', 'TEST_E2E', 'NODE_ENV', 'NODE_OPTIONS'];

/** The environment of a maintainer. npm reaches only the registry of this test. */
const environment = () => {
	const own = Object.entries(process.env).filter(([name]) => !OF_TESTS.includes(name));
	const npm_config_registry = 'https://registry.npmjs.org/';
	return { ...Object.fromEntries(own), ...registry.env, npm_config_registry };
};
const inClone = async (...command: string[]) =>
	await run(command, { cwd: clone, env: environment() });
const read = async (file: string) => await readFile(join(clone, file), 'utf8');
const write = async (file: string, text: string) => await writeFile(join(clone, file), text);

beforeAll(async () => {
	registry = await startRegistry();
	const folder = await temporaryFolder('community-platform-release');
	clone = join(folder.path, 'clone');
	await run(['git', 'clone', '--quiet', PROJECT_FOLDER, clone]);
	await write('.git/info/exclude', 'node_modules\n');
	await symlink(join(PROJECT_FOLDER, 'node_modules'), join(clone, 'node_modules'));
	for (const [name, value] of [
		['user.name', 'A maintainer'],
		['user.email', 'a@maintainers.test'],
		['core.hooksPath', '/dev/null'],
	]) {
		await inClone('git', 'config', name, value);
	}
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.close();
	registry?.close();
});

/** Replaces the placeholders with the commands of docs/maintaining.md, and adds a change to the changelog. */
async function prepare(): Promise<void> {
	const files = await inClone('git', 'grep', '--files-with-matches', PLACEHOLDER);
	for (const file of files.trim().split('\n')) {
		await write(file, (await read(file)).replaceAll(PLACEHOLDER, `${OWNER}/${PACKAGE_NAME}`));
	}
	const manifest = await read('package.json');
	await write('package.json', manifest.replace('community-platform.example"', 'maintainers.test"'));
	const changelog = await read('CHANGELOG.md');
	await write('CHANGELOG.md', changelog.replace('### Fixed\n', `$&\n${CHANGE}\n`));
	await inClone('git', 'commit', '--quiet', '--all', '--message', 'Replace the placeholders');
}

test('a release in a clone passes each step of docs/maintaining.md, and n8n installs and runs it', async () => {
	const { version } = JSON.parse(await read('package.json')) as { version: string };
	const isReleased = (await read('CHANGELOG.md')).includes(`## [${version}]`);
	const wanted = isReleased ? 'patch' : version;
	const release = async () =>
		await inClone('npm', 'run', 'release', '--', wanted, '--stale-pictures');
	await expect(release()).rejects.toThrow('placeholders');
	await prepare();

	const released = /To publish (\S+): git push/.exec(await release())![1];

	expect(isReleased).toBe(released !== version);
	const changelog = await read('CHANGELOG.md');
	expect(changelog).toMatch(/## \[Unreleased\]\n\n### Added\n\n### Changed\n\n### Fixed\n\n## \[/);
	expect(changelog.split(`## [${released}] - `)[1]).toContain(`### Fixed\n\n${CHANGE}\n`);
	expect(changelog).toContain(`[Unreleased]: https://github.com/${OWNER}`);
	expect(await inClone('git', 'status', '--porcelain')).toBe('');
	expect(await inClone('git', 'tag', '--points-at', 'HEAD')).toBe(`${released}\n`);
	expect(await inClone('npm', 'run', 'release', '--', '--check', released)).toContain(
		`${released} can be published`,
	);
	await inClone('npm', 'exec', '--', 'prettier', '--check', 'CHANGELOG.md', 'test/workflows');
	await inClone('npm', 'run', 'lint:links');
	await inClone('npm', 'exec', '--', 'jest', 'test/repository/versions', 'test/repository/links');
	expect(await inClone('npm', 'run', 'tarball')).toContain('No finding');
	// Only GitHub can sign the provenance.
	const token = '--//registry.npmjs.org/:_authToken=a-token';
	await inClone('npm', 'publish', '--no-provenance', '--tag', 'latest', token);

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
