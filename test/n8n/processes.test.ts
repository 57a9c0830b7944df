import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { run, start } from '../../dev/tools/processes.mts';
import { until } from '../../dev/tools/wait.mts';

const TIMEOUT_MS = 15_000;

/** What starter.mts writes about itself: the process group of a program, and a temporary folder. */
interface Told {
	group: number;
	folder: string;
}

/** Starts a process that starts a program with a child, and waits until both are there. */
async function startStarter(ending: 'throw' | 'stay'): Promise<[ChildProcess, Told]> {
	const child = spawn('node', ['--import', 'tsx', 'test/n8n/starter.mts', ending], {
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const said = await new Promise<string>((resolve) => {
		child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
	});
	return [child, JSON.parse(said) as Told];
}

async function untilInGroup(group: number, count: number): Promise<void> {
	const isSo = async () =>
		execFileSync('ps', ['-eo', 'pgid=,stat='], { encoding: 'utf8' })
			.split('\n')
			.map((line) => line.trim().split(/\s+/))
			.filter(([pgid, state]) => Number(pgid) === group && !state.startsWith('Z')).length === count;
	await until(`${count} processes in group ${group}`, isSo, TIMEOUT_MS);
}

describe('a program that was started', () => {
	it('ends when its starter fails, and so does a temporary folder', async () => {
		const [, { group, folder }] = await startStarter('throw');
		await untilInGroup(group, 0);
		await until('the folder to be removed', async () => !existsSync(folder), TIMEOUT_MS);
	});

	it.each(['SIGKILL', 'SIGTERM'] as const)('ends when its starter gets %s', async (signal) => {
		const [starter, { group }] = await startStarter('stay');
		await untilInGroup(group, 2);
		starter.kill(signal);
		await untilInGroup(group, 0);
	});

	it.each([
		['takes its own children along when it is stopped', 'sleep 600 & wait'],
		['is ended the hard way when it does not listen', 'trap "" TERM; sleep 600; sleep 600'],
	])('%s', async (_title, script) => {
		const program = await start(['sh', '-c', script], 'inherit');
		await untilInGroup(program.pid, 2);
		await program.stop(100);
		expect(program.hasExited()).toBe(true);
		await untilInGroup(program.pid, 0);
	});
});

describe('a command that is run', () => {
	it('gives back everything it wrote', async () => {
		const said = await run(['sh', '-c', 'seq 1 9999; echo end >&2']);
		expect(said.match(/\d+\n/g)).toHaveLength(9999);
		expect(said).toContain('end\n');
	});

	it('says what it said last when it did not go well', async () => {
		const bad = run(['sh', '-c', 'echo told; exit 3']);
		await expect(bad).rejects.toThrow(/ended with 3\ntold$/);
		await expect(run(['no-such-program'])).rejects.toThrow(/no-such-program did not start/);
	});
});
