import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environmentFor, type Installation, nodeHeadersFolder, PINNED } from './paths.mts';
import { run } from '../tools/processes.mts';
import { step } from '../tools/progress.mts';
import { requireBuildTools, requireNode } from './requirements.mts';

const NATIVE_MODULES = ['sqlite3', 'isolated-vm'];
const LOCKFILE = 'package-lock.json';

/**
 * Installs an n8n with its own Node, and builds its native modules, unless that has been done. The versions are those
 * that its folder's lockfile pins or, without a lockfile, those in its package.json. All files come from the npm
 * registry.
 *
 * @param installation with a package.json in its folder. If left out, the pinned one
 * @returns n8n's version
 * @throws with the missing programs, or with npm's message
 */
export async function installN8n(installation = PINNED): Promise<string> {
	const { folder } = installation;
	const stamp = join(folder, 'node_modules/.installed');
	const wanted = await fingerprint(folder);
	if (
		(await readFile(stamp, 'utf8').catch(() => '')) === wanted &&
		(await loads(installation, nativeModules(folder)))
	) {
		return await versionIn(folder);
	}
	requireNode();
	requireBuildTools();

	const install = existsSync(join(folder, LOCKFILE)) ? ['ci'] : ['install', '--no-package-lock'];
	await step('Download n8n, once', () =>
		run(['npm', ...install, '--no-audit', '--no-fund'], { cwd: folder }),
	);
	await step('Set up the Node that it runs on', () =>
		run(['npm', 'rebuild', 'node', '--ignore-scripts=false'], { cwd: folder }),
	);
	await step('Build its native modules', () => buildNativeModules(installation));
	const version = await step(
		'Check that it starts',
		() => checkInstalled(installation),
		(found) => `n8n ${found}`,
	);
	await writeFile(stamp, wanted);
	return version;
}

/** The values that identify an installation. */
async function fingerprint(folder: string): Promise<string> {
	const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
	for (const name of ['package.json', LOCKFILE, '.npmrc']) {
		const path = join(folder, name);
		if (existsSync(path)) hash.update(await readFile(path));
	}
	return hash.digest('hex');
}

/** The native modules that this n8n has. n8n 2.8 has no isolated-vm. */
function nativeModules(folder: string): string[] {
	return NATIVE_MODULES.filter((name) => existsSync(join(folder, 'node_modules', name)));
}

function buildNativeModules(installation: Installation): Promise<string> {
	const { folder } = installation;
	return run(['npm', 'rebuild', ...nativeModules(folder), '--ignore-scripts=false'], {
		cwd: folder,
		env: {
			...environmentFor(installation),
			npm_config_nodedir: nodeHeadersFolder(installation),
			// Otherwise its install script first requests a prebuilt binary outside the registry.
			npm_config_build_from_source: 'sqlite3',
			// SQLite is one large file. With less optimization it compiles in half the time, and is fast enough here.
			CFLAGS: '-O1',
		},
	});
}

async function loads({ node, folder }: Installation, modules: string[]): Promise<boolean> {
	const code = modules.map((name) => `require('${name}')`).join(';');
	return await run([node, '-e', code], { cwd: folder }).then(
		() => true,
		() => false,
	);
}

async function versionIn(folder: string): Promise<string> {
	const manifest = join(folder, 'node_modules/n8n/package.json');
	return (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version;
}

async function checkInstalled(installation: Installation): Promise<string> {
	const { folder, node, script } = installation;
	const modules = nativeModules(folder);
	if (!(await loads(installation, modules)))
		throw new Error(`${modules.join(' and ')} do not load after building`);
	const output = await run([node, script, '--version'], { env: environmentFor(installation) });
	const version = await versionIn(folder);
	if (!output.includes(version)) throw new Error(`n8n --version said:\n${output}`);
	return version;
}

if (process.argv[1] === import.meta.filename) {
	installN8n().then(
		(version) => console.log(`n8n ${version} is installed.`),
		(error: Error) => {
			console.error(`\n${error.message}`);
			process.exitCode = 1;
		},
	);
}
