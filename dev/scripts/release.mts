import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PACKAGE_NAME, PROJECT_FOLDER } from '../n8n/paths.mts';
import { run } from '../tools/processes.mts';
import { stalePictures } from './pictures.mts';

// `npm run release -- 0.2.0` (or patch, minor, major) makes the commit and the tag of a version; pushing the tag
// publishes it. `-- --check 0.2.0` checks whether that tag matches the checked-out version. Neither accepts stale pictures.
const { values, positionals } = parseArgs({
	options: { check: { type: 'string' } },
	allowPositionals: true,
});
const stale = stalePictures();
if (stale.length > 0) {
	const names = stale.join(', ');
	throw new Error(`Pictures with old texts: ${names}. Take them again with "npm run screenshots"`);
}
if (values.check === undefined) await release(positionals[0]);
else await check(values.check);

async function release(wanted: string | undefined): Promise<void> {
	if (wanted === undefined) throw new Error('Which version? A number, or patch, minor or major');
	if ((await git('status', '--porcelain')) !== '') throw new Error('Commit all changes first');
	try {
		// For the first release, package.json already has the version, and npm refuses to set it again.
		if (wanted !== (await currentVersion())) {
			await run(['npm', 'version', wanted, '--no-git-tag-version'], { cwd: PROJECT_FOLDER });
		}
		const version = await currentVersion();
		const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
		await replace('CHANGELOG.md', /^## Unreleased\n(?=\n+[^#])/m, `$&\n## ${version} - ${today}\n`);
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
	const changelog = await readFile(join(PROJECT_FOLDER, 'CHANGELOG.md'), 'utf8');
	if (tag !== version) throw new Error(`The tag is ${tag}, package.json says ${version}`);
	if (!changelog.includes(`\n## ${version} - `)) throw new Error(`The changelog lacks ${version}`);
	if (!existsSync(kept(version))) throw new Error(`test/workflows has no folder for ${version}`);
	console.log(`${version} can be published`);
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
	const text = await readFile(join(PROJECT_FOLDER, path), 'utf8');
	if (!what.test(text)) throw new Error(`${path} has nothing to replace`);
	await writeFile(join(PROJECT_FOLDER, path), text.replace(what, by));
}

async function currentVersion(): Promise<string> {
	const manifest = await readFile(join(PROJECT_FOLDER, 'package.json'), 'utf8');
	return (JSON.parse(manifest) as { version: string }).version;
}

async function git(...args: string[]): Promise<string> {
	return (await run(['git', ...args], { cwd: PROJECT_FOLDER })).trim();
}
