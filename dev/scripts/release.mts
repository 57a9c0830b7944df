import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PACKAGE_NAME, PROJECT_FOLDER } from '../n8n/paths.mts';
import { run } from '../tools/processes.mts';
import { staleWarning } from './pictures.mts';

// `npm run release -- 0.2.0` (or patch, minor, major) makes the commit and the tag of a version. Pushing the tag
// publishes it. `-- --check 0.2.0` checks whether that tag matches the checked-out version. With
// `-- 0.2.0 --stale-pictures`, pictures with old texts are published, too.
const { values, positionals } = parseArgs({
	options: { check: { type: 'string' }, 'stale-pictures': { type: 'boolean', default: false } },
	allowPositionals: true,
});
const CHANGELOG = 'CHANGELOG.md';
const UNRELEASED = '## [Unreleased]\n';
const KINDS = ['Added', 'Changed', 'Fixed'];

if (values.check === undefined) await release(positionals[0]);
else await check(values.check);

async function release(wanted: string | undefined): Promise<void> {
	if (wanted === undefined) throw new Error('Which version? A number, or patch, minor or major');
	if ((await git('status', '--porcelain')) !== '') throw new Error('Commit all changes first');
	if (/\.example"/.test(await read('package.json'))) {
		throw new Error(
			'package.json has placeholders: see "The first release" in docs/maintaining.md',
		);
	}
	const warning = staleWarning();
	if (warning && !values['stale-pictures']) {
		throw new Error(`${warning} To release with them, add --stale-pictures`);
	}
	try {
		// For the first release, package.json already has the version, and npm refuses to set it again.
		if (wanted !== (await currentVersion())) {
			await run(['npm', 'version', wanted, '--no-git-tag-version'], { cwd: PROJECT_FOLDER });
		}
		const version = await currentVersion();
		const changelog = await read(CHANGELOG);
		await writeFile(join(PROJECT_FOLDER, CHANGELOG), dated(changelog, version));
		// The compose file of queue mode installs exactly this version.
		const installed = new RegExp(`${PACKAGE_NAME}@\\S+`);
		await replace('examples/queue-mode/compose.yaml', installed, `${PACKAGE_NAME}@${version}`);
		await keepWorkflows(version);
		await git('add', '--all');
		await git('commit', '--message', `Release ${version}`);
		await git('tag', '--annotate', version, '--message', version);
		console.log(`To publish ${version}: git push --follow-tags`);
	} catch (error) {
		await git('reset', '--hard', '--quiet');
		await git('clean', '--force', '--quiet', '-d', 'test/workflows');
		throw error;
	}
}

async function check(tag: string): Promise<void> {
	const version = await currentVersion();
	const changelog = await read(CHANGELOG);
	if (tag !== version) throw new Error(`The tag is ${tag}, package.json says ${version}`);
	if (!changelog.includes(`\n## [${version}] - `))
		throw new Error(`The changelog lacks ${version}`);
	if (!existsSync(kept(version))) throw new Error(`test/workflows has no folder for ${version}`);
	console.log(`${version} can be published`);
}

/** Moves what is under *Unreleased* to a version of today, and starts new lists. */
function dated(changelog: string, version: string): string {
	const [before, rest = ''] = changelog.split(UNRELEASED);
	// The versions before, or the links.
	const end = rest.search(/^(## )?\[/m);
	const changes = rest.slice(0, end).replaceAll(/### .*\n\s*(?=###|$)/g, '');
	if (!changes.includes('\n- ')) throw new Error(`${CHANGELOG} has nothing under Unreleased`);
	const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
	const kinds = KINDS.map((kind) => `### ${kind}\n\n`).join('');
	const heading = `## [${version}] - ${today}\n`;
	const dated = `${before}${UNRELEASED}\n${kinds}${heading}${changes.trimEnd()}\n\n${rest.slice(end)}`;
	return dated.replace(
		/^\[Unreleased\]: (.*)\/(?:commits|compare)\/.*$/m,
		`[Unreleased]: $1/compare/${version}...main\n[${version}]: $1/releases/tag/${version}`,
	);
}

// With the first release, revert "Remove the replay of workflows until there is a release to replay" (test/workflows/README.md).
/** Keeps the examples, and the workflows of the version before, if any. */
async function keepWorkflows(version: string): Promise<void> {
	const versions = (await readdir(kept(''))).filter((name) => /^\d/.test(name) && name !== version);
	const [last] = versions.sort((one, other) => other.localeCompare(one, 'en', { numeric: true }));
	if (last) await cp(kept(last), kept(version), { recursive: true });
	await mkdir(kept(version), { recursive: true });
	for (const file of await readdir(join(PROJECT_FOLDER, 'examples'))) {
		if (!file.endsWith('.json')) continue;
		await cp(join(PROJECT_FOLDER, 'examples', file), join(kept(version), file));
	}
}

function kept(version: string): string {
	return join(PROJECT_FOLDER, 'test/workflows', version);
}

async function replace(path: string, what: RegExp, by: string): Promise<void> {
	const text = await read(path);
	if (!what.test(text)) throw new Error(`${path} has nothing to replace`);
	await writeFile(join(PROJECT_FOLDER, path), text.replace(what, by));
}

async function currentVersion(): Promise<string> {
	return (JSON.parse(await read('package.json')) as { version: string }).version;
}

async function read(path: string): Promise<string> {
	return await readFile(join(PROJECT_FOLDER, path), 'utf8');
}

async function git(...args: string[]): Promise<string> {
	return (await run(['git', ...args], { cwd: PROJECT_FOLDER })).trim();
}
