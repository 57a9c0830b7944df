// Version 8: from 9 on, execa decides when a program starts how long it gets to end; here `stop` does.
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
 * Starts a program that stays. It ends with this process, however this process ends.
 *
 * @param command the program and its arguments
 * @param logFile where both of its output streams are appended; 'inherit' for where this process writes
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

/** Ends every program that was started here, for a signal handler, which does not know them. */
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

/** Ends the whole process group when the program or this process ends: execa ends the program alone. */
async function supervise(child: ExecaChildProcess, program: string): Promise<number> {
	const { pid } = child;
	if (pid === undefined) {
		const { originalMessage } = (await child) as ExecaError;
		throw new Error(`${program} did not start: ${originalMessage}`);
	}
	running.add(child);
	const cancel = whenThisProcessIsGone('kill -s KILL -- "-$0"', String(pid));
	child.once('exit', () => {
		killGroup(pid);
		running.delete(child);
		cancel();
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
