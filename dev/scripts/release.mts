import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PACKAGE_NAME, PROJECT_FOLDER } from '../n8n/paths.mts';
import { run } from '../tools/processes.mts';
import { changesOf, released } from './changelog.mts';
import { isKept, keepWorkflows } from './keep-workflows.mts';

// `npm run release -- 0.2.0` (or patch, minor, major) makes the commit and the tag of a version; pushing the tag
// publishes it. `-- --check 0.2.0` tells whether that tag fits what is checked out.
const CHANGELOG = join(PROJECT_FOLDER, 'CHANGELOG.md');
const COMPOSE_FILE = join(PROJECT_FOLDER, 'examples/queue-mode/compose.yaml');

try {
	const options = { check: { type: 'string' } } as const;
	const { values, positionals } = parseArgs({ options, allowPositionals: true });
	if (values.check !== undefined) await check(values.check);
	else await release(positionals[0]);
} catch (error) {
	console.error((error as Error).message);
	process.exitCode = 1;
}

async function check(tag: string): Promise<void> {
	const version = await currentVersion();
	if (tag !== version) throw new Error(`The tag is ${tag}, package.json says ${version}`);
	if (changesOf(await readFile(CHANGELOG, 'utf8'), version) === undefined) {
		throw new Error(`CHANGELOG.md has no section for ${version}`);
	}
	if (!(await isKept(version))) throw new Error(`test/workflows has no folder for ${version}`);
	console.log(`${version} can be published`);
}

async function release(wanted: string | undefined): Promise<void> {
	if (wanted === undefined) throw new Error('Which version? A number, or patch, minor or major');
	const isClean = (await git('status', '--porcelain')).trim() === '';
	if (!isClean) throw new Error('There are changes that are not committed');
	const branch = (await git('branch', '--show-current')).trim();
	if (branch !== 'main') throw new Error(`This is the branch ${branch}; versions come from main`);

	const number = ['npm', 'version', wanted, '--no-git-tag-version', '--allow-same-version'];
	try {
		await run(number, { cwd: PROJECT_FOLDER });
		const version = await currentVersion();
		const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
		await writeFile(CHANGELOG, released(await readFile(CHANGELOG, 'utf8'), version, today));
		await writeFile(COMPOSE_FILE, withPackage(await readFile(COMPOSE_FILE, 'utf8'), version));
		await git('add', await keepWorkflows(version));
		await git('commit', '--all', '--message', `Release ${version}`);
		await git('tag', '--annotate', version, '--message', version);
		console.log(`To publish ${version}: git push --follow-tags`);
	} catch (error) {
		await git('reset', '--hard', '--quiet');
		throw error;
	}
}

// What queue mode is started with installs exactly this version.
function withPackage(text: string, version: string): string {
	return text.replace(new RegExp(`${PACKAGE_NAME}@\\S+`), `${PACKAGE_NAME}@${version}`);
}

async function currentVersion(): Promise<string> {
	const manifest = await readFile(join(PROJECT_FOLDER, 'package.json'), 'utf8');
	return (JSON.parse(manifest) as { version: string }).version;
}

function git(...args: string[]): Promise<string> {
	return run(['git', ...args], { cwd: PROJECT_FOLDER });
}
