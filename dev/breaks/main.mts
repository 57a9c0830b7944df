import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PROJECT_FOLDER } from '../n8n/paths.mts';
import { run, start } from '../tools/processes.mts';
import { temporaryFolder } from '../tools/temporary-folder.mts';

// Breaks one promise after another in copies of the project, and reports each break that its test does not notice.
// Argument: a pattern for the promises or files to break (default: all).
const AT_ONCE = 2;
const JEST = join('node_modules', 'jest', 'bin', 'jest.js');
// Properties use the same values each time (test/support/seed.mts). Colors would divide the words of the output.
const ENVIRONMENT = { ...process.env, CI: 'true', FORCE_COLOR: '0' };

/** A change of a shipped source that a person would notice. The strings are a replacement, and a pattern for tests. */
type Break = Record<'promise' | 'file' | 'from' | 'to' | 'test', string>;
/** The failed test files. `isLoaded` is false if one did not run, e.g. because a source cannot be parsed. */
type Outcome = { isPassed: boolean; isLoaded: boolean; files: string; output: string };

const list = await readFile(join(PROJECT_FOLDER, 'dev/breaks/list.yaml'), 'utf8');
const wanted = new RegExp(process.argv[2] ?? '', 'i');
const isChosen = ({ promise, file }: Break) => wanted.test(promise) || wanted.test(file);
const chosen = (parse(list) as Break[]).filter(isChosen);
const copies = await Promise.all(Array.from({ length: AT_ONCE }, copyProject));
console.time('All');
const findings: string[] = [];
try {
	const tests = [...new Set(chosen.map(({ test }) => test))];
	const { isPassed, output } = await runTests(copies[0].path, tests);
	if (!isPassed) findings.push(`Without a break, tests fail:\n${output}`);
	// All copies take the next break from the same iterator.
	const queue = (isPassed ? chosen : []).values();
	await Promise.all(copies.map(async ({ path }) => await breakAll(queue, path)));
} finally {
	await Promise.all(copies.map(async ({ remove }) => await remove()));
}
console.timeLog('All', `${chosen.length} breaks`);
for (const finding of findings) console.error(finding);
process.exitCode = chosen.length > 0 && findings.length === 0 ? 0 : 1;

/** Copies the files that git tracks, as they are in the working tree. */
async function copyProject() {
	const folder = await temporaryFolder('community-platform-breaks');
	const tracked = await run(['git', 'ls-files', '-z'], { cwd: PROJECT_FOLDER });
	for (const file of tracked.split('\0').filter((name) => name !== '')) {
		await cp(join(PROJECT_FOLDER, file), join(folder.path, file));
	}
	await symlink(join(PROJECT_FOLDER, 'node_modules'), join(folder.path, 'node_modules'));
	return folder;
}

async function breakAll(breaks: Iterable<Break>, folder: string): Promise<void> {
	for (const each of breaks) {
		console.time(each.promise);
		const finding = await findingOf(each, folder);
		console.timeLog(each.promise, finding ? '✗' : '✓');
		if (finding) findings.push(`${each.promise} (${each.file}): ${finding}`);
	}
}

/** Returns what is wrong with a break or with the tests. Undefined if the expected test notices the break. */
async function findingOf({ file, from, to, test }: Break, folder: string) {
	const path = join(folder, file);
	const source = await readFile(path, 'utf8');
	const count = source.split(from).length - 1;
	if (count !== 1) return `The text to replace occurs ${count} times.`;
	await writeFile(
		path,
		source.replace(from, () => to),
	);
	try {
		const expected = await runTests(folder, [test]);
		const all = expected.isPassed ? await runTests(folder) : expected;
		if (all.isPassed) return 'No test notices this.';
		if (!all.isLoaded) return `Tests cannot be run any more: ${all.files}`;
		return expected.isPassed ? `Only other tests notice this: ${all.files}` : undefined;
	} finally {
		await writeFile(path, source);
	}
}

/** Runs the tests whose paths match one of the patterns, by default all tests. */
async function runTests(folder: string, patterns: string[] = []): Promise<Outcome> {
	const log = join(folder, '.jest.log');
	await writeFile(log, '');
	const options = ['--bail', '--passWithNoTests', '--cacheDirectory', join(folder, '.jest')];
	// It fails with every break, because it looks for the text that the break has replaced.
	options.push('--testPathIgnorePatterns', 'repository/breaks', '/test/e2e/', 'prism');
	// Jest starts all processes, even for a single file.
	if (patterns.length === 1) options.push('--maxWorkers', '2');
	const command = [process.execPath, JEST, ...options, ...patterns];
	const jest = await start(command, log, { cwd: folder, env: ENVIRONMENT });
	const isPassed = (await jest.exited) === 0;
	const output = await readFile(log, 'utf8');
	const isSuiteFailed = output.includes('Test suite failed to run');
	const isLoaded = !isSuiteFailed && (isPassed || /^Tests: +\d+ failed/m.test(output));
	const files = [...new Set(output.match(/(?<=^FAIL )\S+/gm))].join(', ');
	return { isPassed, isLoaded, files, output };
}
