import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { whenThisProcessIsGone } from './last-will.mts';

const LINES_SHOWN = 30;
const BYTES_KEPT = 200_000;
const GRACE_MS = 15_000;

const running = new Set<RunningProcess>();

/** A program that runs until it is stopped. */
export interface RunningProcess {
	pid: number;
	/** Settles when the program has ended, with its exit code, or null after a signal. */
	exited: Promise<number | null>;
	/** True once the program has ended. */
	hasExited: () => boolean;
	/** Sends a signal to the program alone, for instance to see what happens after SIGKILL. */
	signal: (signal: NodeJS.Signals) => void;
	/** Asks the program to end and, when the time is up, ends its whole process group. */
	stop: (graceMs?: number) => Promise<void>;
}

/** Options shared by both ways of running a program. */
export interface ProcessOptions {
	cwd?: string;
	env?: NodeJS.ProcessEnv;
}

/**
 * Runs a command to its end.
 *
 * @param command the program and its arguments
 * @returns what it wrote, both streams in the order of arrival (the last 200 kB)
 * @throws if it cannot be started or ends with anything but 0; the message ends with its last lines
 */
export async function run(command: string[], options: ProcessOptions = {}): Promise<string> {
	const [program, ...args] = command;
	const child = spawn(program, args, {
		...options,
		stdio: ['ignore', 'pipe', 'pipe'],
		detached: true,
	});
	const { exited } = supervise(child, program);
	let output = '';
	const keep = (chunk: Buffer) => {
		output = (output + chunk.toString()).slice(-BYTES_KEPT);
	};
	child.stdout.on('data', keep);
	child.stderr.on('data', keep);
	// Both streams are read to their end only when the child is closed, which is after its exit.
	const closed = new Promise((resolve) => child.once('close', resolve));
	const code = await exited;
	await closed;
	if (code === 0) return output;
	const tail = output.trimEnd().split('\n').slice(-LINES_SHOWN).join('\n');
	throw new Error(`${command.join(' ')} ended with ${code ?? 'a signal'}\n${tail}`);
}

/**
 * Starts a program that stays, in a process group of its own. It ends with this process, however
 * this process ends.
 *
 * @param command the program and its arguments
 * @param logFile where both of its output streams are appended
 * @returns a handle to wait for it and to stop it
 * @throws if it cannot be started
 */
export async function start(
	command: string[],
	logFile: string,
	options: ProcessOptions = {},
): Promise<RunningProcess> {
	const [program, ...args] = command;
	const log = openSync(logFile, 'a');
	const child = spawn(program, args, {
		...options,
		stdio: ['ignore', log, log],
		detached: true,
	});
	closeSync(log);
	const handle = supervise(child, program);
	await new Promise<void>((resolve, reject) => {
		child.once('spawn', resolve);
		handle.exited.catch(reject);
	});
	return handle;
}

/**
 * Ends every program that was started here, as {@link RunningProcess.stop} does; for a signal
 * handler, which does not know what has been started so far.
 */
export async function stopAll(): Promise<void> {
	await Promise.all([...running].map((process) => process.stop()));
}

/**
 * Sees to it that nothing of a program stays behind: when it ends, or this process does, the rest
 * of its process group is ended too.
 */
function supervise(child: ChildProcess, program: string): RunningProcess {
	const { pid } = child;
	const callOff =
		pid === undefined
			? () => undefined
			: whenThisProcessIsGone('kill -s KILL -- "-$0"', String(pid));
	let over = false;
	const exited = new Promise<number | null>((resolve, reject) => {
		child.once('error', (error) => reject(new Error(`${program} did not start: ${error.message}`)));
		child.once('exit', (code) => {
			if (pid !== undefined) killGroup(pid);
			resolve(code);
		});
	}).finally(() => {
		over = true;
		running.delete(handle);
		callOff();
	});
	const handle: RunningProcess = {
		pid: pid ?? 0,
		exited,
		hasExited: () => over,
		signal: (signal) => void child.kill(signal),
		async stop(graceMs = GRACE_MS) {
			child.kill('SIGTERM');
			const timer = new AbortController();
			await Promise.race([
				exited,
				delay(graceMs, undefined, { signal: timer.signal }).catch(() => undefined),
			]);
			timer.abort();
			if (!over && pid !== undefined) killGroup(pid);
			await exited;
		},
	};
	running.add(handle);
	return handle;
}

function killGroup(pid: number): void {
	try {
		process.kill(-pid, 'SIGKILL');
	} catch (error) {
		// ESRCH: nobody is left in the group, which is what was wanted.
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}
