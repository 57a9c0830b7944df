import { execa } from 'execa';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../n8n/paths.mts';
import { run } from '../tools/processes.mts';
import { step } from '../tools/progress.mts';
import type { OlderVersion } from './older-versions.mts';
import { BRIEF_TESTS, OLDER_VERSIONS } from './older-versions.mts';

// Runs the tests in test/engine on older engines of n8n. Arguments: versions of n8n-core, for these only;
// --brief, for the files that look at each part of the engine once; anything else is Jest's.
const CACHE = join(PROJECT_FOLDER, '.versions');
const JEST = join(PROJECT_FOLDER, 'node_modules/jest/bin/jest.js');
const BRIEF = '--brief';

const given = process.argv.slice(2);
const named = OLDER_VERSIONS.filter(({ core }) => given.includes(core));
const forJest = given.filter((arg) => arg !== BRIEF && !named.some(({ core }) => core === arg));
if (given.includes(BRIEF)) forJest.push(`test/engine/(${BRIEF_TESTS.join('|')})\\.test\\.ts$`);

const verdicts: string[] = [];
for (const version of named.length > 0 ? named : OLDER_VERSIONS) {
	const folder = await installed(version);
	console.log(`\nn8n ${version.n8n} (n8n-core ${version.core})`);
	const started = Date.now();
	const isPassed = await isPassing(folder);
	const seconds = Math.round((Date.now() - started) / 1000);
	verdicts.push(`n8n ${version.n8n}: ${isPassed ? 'passed' : 'FAILED'} in ${seconds} s`);
	if (!isPassed) process.exitCode = 1;
}
console.log(`\n${verdicts.join('\n')}`);

/** Installs an engine into a folder of its own, unless that has been done. */
async function installed({ n8n, core, workflow }: OlderVersion): Promise<string> {
	const folder = join(CACHE, core);
	const manifest = JSON.stringify({
		private: true,
		// n8n pins zod for all of its packages; left to itself, npm puts a newer one beside n8n 2.20.
		dependencies: { 'n8n-core': core, 'n8n-workflow': workflow, zod: '3.25.67' },
	});
	const stamp = join(folder, '.installed');
	if ((await readFile(stamp, 'utf8').catch(() => '')) === manifest) return folder;
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, 'package.json'), manifest);
	await copyFile(join(PROJECT_FOLDER, '.npmrc'), join(folder, '.npmrc'));
	await step(`Install the engine of n8n ${n8n}, once`, () =>
		run(['npm', 'install', '--no-audit', '--no-fund'], { cwd: folder }),
	);
	await writeFile(stamp, manifest);
	return folder;
}

async function isPassing(folder: string): Promise<boolean> {
	const args = [JEST, '--config', 'jest.versions.config.js', ...forJest];
	const { failed } = await execa(process.execPath, args, {
		cwd: PROJECT_FOLDER,
		env: { N8N_ENGINE_FOLDER: folder },
		stdio: 'inherit',
		reject: false,
	});
	return !failed;
}
