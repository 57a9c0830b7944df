import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../dev/tools/wait.mts';

const TIMEOUT_MS = 15_000;

/** What a starter has written about itself. */
export interface Told {
	/** Process group of the program that it started. */
	group: number;
	/** A temporary folder that it made. */
	folder: string;
}

/** Makes a folder for a test's logs. */
export async function testFolder(): Promise<{ log: string; remove: () => Promise<void> }> {
	const path = await mkdtemp(join(tmpdir(), 'processes-test-'));
	return { log: join(path, 'log'), remove: () => rm(path, { recursive: true }) };
}

/** How many processes are running in a group. */
function inGroup(group: number): number {
	return execFileSync('ps', ['-eo', 'pgid=,stat='], { encoding: 'utf8' })
		.split('\n')
		.map((line) => line.trim().split(/\s+/))
		.filter(([pgid, state]) => Number(pgid) === group && !state.startsWith('Z')).length;
}

/** Waits until a number of processes are running in a group; throws after 15 s. */
export async function untilInGroup(group: number, count: number): Promise<void> {
	const reached = async () => inGroup(group) === count;
	await until(`${count} processes in group ${group}`, reached, TIMEOUT_MS);
}

/** Waits until a folder is gone; throws after 15 s. */
export async function untilRemoved(folder: string): Promise<void> {
	const removed = async () => !existsSync(folder);
	await until(`${folder} to be removed`, removed, TIMEOUT_MS);
}

/**
 * Starts a process that starts a program with a child, and waits until both are there.
 *
 * @param ending how the process ends: by `exit` or `throw`, or not at all with `stay`
 */
export async function startStarter(ending: string): Promise<[ChildProcess, Told]> {
	const child = spawn('node', ['--import', 'tsx', 'test/n8n/starter.mts', ending], {
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const said = await new Promise<string>((resolve) => {
		child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
	});
	return [child, JSON.parse(said) as Told];
}
