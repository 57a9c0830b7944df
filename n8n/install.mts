import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
	N8N_FOLDER,
	N8N_SCRIPT,
	NODE_BINARY,
	nodeHeadersFolder,
	pinnedNodeEnvironment,
} from './paths.mts';
import { run } from '../tools/processes.mts';
import { step } from '../tools/progress.mts';
import { demand, missingBuildTools, missingNodeVersion, missingSpace } from './requirements.mts';

const GIGABYTES_NEEDED = 4;
const NATIVE_MODULES = ['sqlite3', 'isolated-vm'];
const STAMP = join(N8N_FOLDER, 'node_modules/.installed');

/**
 * Installs the n8n that `n8n/package-lock.json` pins, with a Node of its own, and builds its native
 * modules; does nothing when that has been done. Everything comes from the npm registry.
 *
 * @returns n8n's version
 * @throws MissingRequirement with a list when the machine lacks something; otherwise what npm said
 */
export async function installN8n(): Promise<string> {
	const wanted = await fingerprint();
	if ((await readFile(STAMP, 'utf8').catch(() => '')) === wanted && (await loads())) {
		return await pinnedVersion();
	}
	demand([
		...missingNodeVersion(),
		...missingBuildTools(),
		...(await missingSpace(N8N_FOLDER, GIGABYTES_NEEDED, 'n8n')),
	]);

	await step('Download n8n, once, 2 GB (about 3 minutes)', () =>
		run(['npm', 'ci', '--no-audit', '--no-fund'], { cwd: N8N_FOLDER }),
	);
	await step('Set up the Node that it runs on', () =>
		run(['npm', 'rebuild', 'node', '--ignore-scripts=false'], { cwd: N8N_FOLDER }),
	);
	await step('Build its native modules (about 2 minutes)', buildNativeModules);
	const version = await step('Check that it starts', checkInstalled, (found) => `n8n ${found}`);
	await writeFile(STAMP, wanted);
	return version;
}

/** All that decides whether an existing installation is the wanted one. */
async function fingerprint(): Promise<string> {
	const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
	for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
		hash.update(await readFile(join(N8N_FOLDER, name)));
	}
	return hash.digest('hex');
}

function buildNativeModules(): Promise<string> {
	return run(['npm', 'rebuild', ...NATIVE_MODULES, '--ignore-scripts=false'], {
		cwd: N8N_FOLDER,
		env: {
			...pinnedNodeEnvironment(),
			npm_config_nodedir: nodeHeadersFolder(),
			// Otherwise its install script first looks for a ready-made binary outside the registry.
			npm_config_build_from_source: 'sqlite3',
		},
	});
}

async function loads(): Promise<boolean> {
	const code = NATIVE_MODULES.map((name) => `require('${name}')`).join(';');
	return await run([NODE_BINARY, '-e', code], { cwd: N8N_FOLDER }).then(
		() => true,
		() => false,
	);
}

async function pinnedVersion(): Promise<string> {
	const manifest = join(N8N_FOLDER, 'node_modules/n8n/package.json');
	return (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version;
}

async function checkInstalled(): Promise<string> {
	if (!(await loads()))
		throw new Error(`${NATIVE_MODULES.join(' and ')} do not load after building`);
	const output = await run([NODE_BINARY, N8N_SCRIPT, '--version'], {
		env: pinnedNodeEnvironment(),
	});
	const version = await pinnedVersion();
	if (!output.includes(version)) throw new Error(`n8n --version said:\n${output}`);
	return version;
}

// Not awaited: Jest, which loads this file too, knows no await outside of functions.
if (import.meta.url === pathToFileURL(process.argv[1]).href) {
	installN8n().then(
		(version) => console.log(`n8n ${version} is installed.`),
		(error: Error) => {
			console.error(`\n${error.message}`);
			process.exitCode = 1;
		},
	);
}
