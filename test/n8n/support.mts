import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { until } from '../../dev/tools/wait.mts';

const TIMEOUT_MS = 15_000;

/** What starter.mts writes about itself: the process group of a program, and a temporary folder. */
export interface Told {
	group: number;
	folder: string;
}

/** Starts a process that starts a program with a child, and waits until both are there. */
export async function startStarter(ending: 'throw' | 'stay'): Promise<[ChildProcess, Told]> {
	const child = spawn('node', ['--import', 'tsx', 'test/n8n/starter.mts', ending], {
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const said = await new Promise<string>((resolve) => {
		child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
	});
	return [child, JSON.parse(said) as Told];
}

/** Waits until a number of processes are running in a group. */
export async function untilInGroup(group: number, count: number): Promise<void> {
	const isSo = async () =>
		execFileSync('ps', ['-eo', 'pgid=,stat='], { encoding: 'utf8' })
			.split('\n')
			.map((line) => line.trim().split(/\s+/))
			.filter(([pgid, state]) => Number(pgid) === group && !state.startsWith('Z')).length === count;
	await until(`${count} processes in group ${group}`, isSo, TIMEOUT_MS);
}

/** Waits until a folder is gone. */
export async function untilRemoved(folder: string): Promise<void> {
	await until(`${folder} to be removed`, async () => !existsSync(folder), TIMEOUT_MS);
}
