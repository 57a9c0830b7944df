import { execa } from 'execa';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installationIn, PROJECT_FOLDER } from '../n8n/paths.mts';
import { run } from '../tools/processes.mts';
import { step } from '../tools/progress.mts';
import { type Engine, BRIEF_TESTS, ENGINES, NEWEST, NODES } from './engines.mts';

// Runs the tests in test/engine on the engines of several generations of n8n. Arguments: versions of
// n8n-core (default: all except the one of `npm test`); --brief, for the files that cover each part of the engine once;
// --matrix, for all engines on every Node that they allow; --install, to only install the engines. All others are
// passed to Jest.
const CACHE = join(PROJECT_FOLDER, '.versions');
const JEST = join(PROJECT_FOLDER, 'node_modules/jest/bin/jest.js');

const { values: chosen, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		brief: { type: 'boolean', default: false },
		install: { type: 'boolean', default: false },
		matrix: { type: 'boolean', default: false },
	},
});
const named = ENGINES.filter(({ core }) => positionals.includes(core));
const forJest = positionals.filter((arg) => !named.some(({ core }) => core === arg));
if (chosen.brief) forJest.push(...BRIEF_TESTS.map((name) => `test/${name}.test.ts`));

const verdicts: string[] = [];
for (const engine of enginesToRun()) {
	const folder = await installedEngine(engine);
	if (chosen.install) continue;
	const own = process.versions.node;
	for (const version of chosen.matrix ? engine.nodes.map((each) => NODES[each]) : [own]) {
		const node = chosen.matrix ? await installedNode(version) : process.execPath;
		const what = `n8n ${engine.n8n} on Node ${version}`;
		console.log(`\n${what} (n8n-core ${engine.core})`);
		const started = Date.now();
		const passed = await passes(folder, node);
		const seconds = Math.round((Date.now() - started) / 1000);
		verdicts.push(`${what}: ${passed ? 'passed' : 'FAILED'} in ${seconds} s`);
		if (!passed) process.exitCode = 1;
	}
}
if (!chosen.install) console.log(`\n${verdicts.join('\n')}`);

function enginesToRun(): Engine[] {
	if (named.length > 0) return named;
	return chosen.matrix ? ENGINES : ENGINES.filter((engine) => engine !== NEWEST);
}

/** The folder of an older engine, or undefined for the newest, which is the project's own. */
async function installedEngine(engine: Engine): Promise<string | undefined> {
	if (engine === NEWEST) return undefined;
	const { n8n, core, workflow } = engine;
	const folder = join(CACHE, core);
	// n8n pins zod for all of its packages. Without this, npm installs a newer one with n8n 2.20.
	const dependencies = { 'n8n-core': core, 'n8n-workflow': workflow, zod: '3.25.67' };
	await install(folder, `the engine of n8n ${n8n}`, dependencies);
	return folder;
}

/** The program of a Node from npm. */
async function installedNode(version: string): Promise<string> {
	const folder = join(CACHE, `node-${version}`);
	await install(folder, `Node ${version}`, { node: version });
	return installationIn(folder).node;
}

/** Installs packages into a separate folder, unless that has been done. */
async function install(
	folder: string,
	what: string,
	dependencies: Record<string, string>,
): Promise<void> {
	const manifest = JSON.stringify({ private: true, dependencies });
	const stamp = join(folder, '.installed');
	if ((await readFile(stamp, 'utf8').catch(() => '')) === manifest) return;
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, 'package.json'), manifest);
	await copyFile(join(PROJECT_FOLDER, '.npmrc'), join(folder, '.npmrc'));
	await step(`Install ${what}, once`, async () => {
		await run(['npm', 'install', '--no-audit', '--no-fund'], { cwd: folder });
		// The only package with a required install script, which installs the program.
		await run(['npm', 'rebuild', 'node', '--ignore-scripts=false'], { cwd: folder });
	});
	await writeFile(stamp, manifest);
}

/** Runs the tests, and returns whether all of them passed. */
async function passes(engineFolder: string | undefined, node: string): Promise<boolean> {
	const only = forJest.length > 0 ? forJest : ['test/engine/'];
	const { failed } = await execa(node, [JEST, ...only], {
		cwd: PROJECT_FOLDER,
		env: engineFolder === undefined ? {} : await surroundings(engineFolder),
		stdio: 'inherit',
		reject: false,
	});
	return !failed;
}

/** Maps the names of the newest engine to an older one for the project's files, in tsx's format. */
async function surroundings(engineFolder: string): Promise<Record<string, string>> {
	const { resolve } = createRequire(join(engineFolder, 'package.json'));
	const names = ['n8n-core', 'n8n-workflow'];
	const paths = Object.fromEntries(names.map((name) => [name, [resolve(name)]]));
	const file = join(engineFolder, 'tsconfig.json');
	const base = join(PROJECT_FOLDER, 'tsconfig.json');
	await writeFile(file, JSON.stringify({ extends: base, compilerOptions: { paths } }));
	return { N8N_ENGINE_FOLDER: engineFolder, TSX_TSCONFIG_PATH: file };
}
