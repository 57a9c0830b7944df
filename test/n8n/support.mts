import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { until } from '../../dev/tools/wait.mts';

/** Starts a process that starts a program with a child, and gives the process group of the program. */
export async function startStarter(): Promise<[ChildProcess, group: number]> {
	const child = spawn('node', ['--import', 'tsx', 'test/n8n/starter.mts'], {
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const said = await new Promise<string>((resolve) => {
		child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
	});
	return [child, Number(said)];
}

/** Waits until a number of processes are running in a group. */
export async function untilInGroup(group: number, count: number): Promise<void> {
	const isSo = async () =>
		execFileSync('ps', ['-eo', 'pgid=,stat='], { encoding: 'utf8' })
			.split('\n')
			.map((line) => line.trim().split(/\s+/))
			.filter(([pgid, state]) => Number(pgid) === group && !state.startsWith('Z')).length === count;
	await until(`${count} processes in group ${group}`, isSo, 15_000);
}
