import { execa, type ExecaChildProcess, type ExecaError } from 'execa';
import { closeSync, openSync } from 'node:fs';
import { whenThisProcessIsGone } from './last-will.mts';

const LINES_SHOWN = 30;
const GRACE_MS = 15_000;

const running = new Set<ExecaChildProcess>();

/** A program that runs until it is stopped. */
export interface RunningProcess {
	pid: number;
	/** Settles when the program has ended, with its exit code, or undefined after a signal. */
	exited: Promise<number | undefined>;
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
	/** All of its environment; this process's own if left out. */
	env?: NodeJS.ProcessEnv;
}

/**
 * Runs a command to its end.
 *
 * @param command the program and its arguments
 * @returns what it wrote, both streams in the order of arrival
 * @throws if it cannot be started or ends with anything but 0; the message ends with its last lines
 */
export async function run(command: string[], options: ProcessOptions = {}): Promise<string> {
	const [program, ...args] = command;
	const child = execa(program, args, { ...settings(options), all: true, stripFinalNewline: false });
	await supervise(child, program);
	const { failed, exitCode, signal, all = '' } = await child;
	if (!failed) return all;
	const tail = all.trimEnd().split('\n').slice(-LINES_SHOWN).join('\n');
	throw new Error(`${command.join(' ')} ended with ${exitCode ?? signal}\n${tail}`);
}

/**
 * Starts a program that stays, in a process group of its own. It ends with this process, however
 * this process ends.
 *
 * @param command the program and its arguments
 * @param logFile where both of its output streams are appended; 'inherit' for where this process writes
 * @returns a handle to wait for it and to stop it
 * @throws if it cannot be started
 */
export async function start(
	command: string[],
	logFile: string,
	options: ProcessOptions = {},
): Promise<RunningProcess> {
	const [program, ...args] = command;
	const log = logFile === 'inherit' ? logFile : openSync(logFile, 'a');
	const child = execa(program, args, { ...settings(options), stdout: log, stderr: log });
	if (log !== 'inherit') closeSync(log);
	const pid = await supervise(child, program);
	return {
		pid,
		exited: child.then(({ exitCode }) => exitCode),
		hasExited: () => child.exitCode !== null || child.signalCode !== null,
		// Otherwise execa adds SIGKILL five seconds after SIGTERM.
		signal: (signal) => void child.kill(signal, { forceKillAfterTimeout: false }),
		stop: async (graceMs) => await stop(child, graceMs),
	};
}

/**
 * Ends every program that was started here, as {@link RunningProcess.stop} does; for a signal
 * handler, which does not know what has been started so far.
 */
export async function stopAll(): Promise<void> {
	await Promise.all([...running].map((child) => stop(child)));
}

function settings({ cwd, env }: ProcessOptions) {
	return {
		cwd,
		env,
		extendEnv: env === undefined,
		stdin: 'ignore',
		reject: false,
		// A process group of its own, which can be ended as a whole.
		detached: true,
	} as const;
}

async function stop(child: ExecaChildProcess, graceMs = GRACE_MS): Promise<void> {
	child.kill('SIGTERM', { forceKillAfterTimeout: graceMs });
	await child;
}

/**
 * Sees to it that nothing of a program stays behind: when it ends, or this process does, the rest
 * of its process group is ended too. Execa ends the program alone, and nothing if this process is
 * killed.
 */
async function supervise(child: ExecaChildProcess, program: string): Promise<number> {
	const { pid } = child;
	if (pid === undefined) {
		const { originalMessage } = (await child) as ExecaError;
		throw new Error(`${program} did not start: ${originalMessage}`);
	}
	running.add(child);
	const callOff = whenThisProcessIsGone('kill -s KILL -- "-$0"', String(pid));
	child.once('exit', () => {
		killGroup(pid);
		running.delete(child);
		callOff();
	});
	return pid;
}

function killGroup(pid: number): void {
	try {
		process.kill(-pid, 'SIGKILL');
	} catch (error) {
		// ESRCH: the group is empty, as intended.
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}
