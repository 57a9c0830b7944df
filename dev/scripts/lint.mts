import { availableParallelism } from 'node:os';
import { execa } from 'execa';

// Runs the named npm scripts side by side and prints the output of each as a whole, so that a contributor sees the
// findings of all of them. Fails at the end if one of them has failed.
const waiting = process.argv.slice(2);
const failed: string[] = [];
const env = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};

async function runNext(): Promise<void> {
	const name = waiting.shift();
	if (name === undefined) return;
	const result = await execa('npm', ['run', '--silent', name], { all: true, env, reject: false });
	console.log(`\n${result.failed ? '✗' : '✓'} ${name}\n${result.all?.trim() ?? ''}`.trimEnd());
	if (result.failed) failed.push(name);
	await runNext();
}

await Promise.all(Array.from({ length: availableParallelism() }, runNext));
if (failed.length > 0)
	console.error(`\nTo repeat what failed: ${failed.map((name) => `npm run ${name}`).join(', ')}`);
process.exitCode = Math.min(failed.length, 1);
