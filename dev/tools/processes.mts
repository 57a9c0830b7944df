// Version 8, because since 9 execa fixes the time limit for ending when a program starts. Here, `stop` sets it.
import { execa, type ExecaChildProcess, type ExecaError } from 'execa';
import { closeSync, openSync } from 'node:fs';
import { whenThisProcessIsGone } from './last-will.mts';

const LINES_SHOWN = 30;
const GRACE_MS = 15_000;

const running = new Set<ExecaChildProcess>();

/** A program that runs until it is stopped. */
export interface RunningProcess {
	/** Settles after the program has ended, with its exit code, or undefined after a signal. */
	exited: Promise<number | undefined>;
	/** Whether the program has ended. */
	hasExited: () => boolean;
	/** Sends a signal only to the program, e.g. to test what SIGKILL causes. */
	signal: (signal: NodeJS.Signals) => void;
	/** Asks the program to end, and kills its whole process group on a timeout. */
	stop: (graceMs?: number) => Promise<void>;
}

/** Options shared by both ways of running a program. */
export interface ProcessOptions {
	cwd?: string;
	/** Its whole environment. If left out, this process's own. */
	env?: NodeJS.ProcessEnv;
}

/**
 * Runs a command and waits for its end.
 *
 * @param command the program and its arguments
 * @returns its output, both streams in the order of arrival
 * @throws if it cannot be started or ends with a code other than 0. The message ends with its last lines
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
 * Starts a program in the background. It ends with this process in any case.
 *
 * @param command the program and its arguments
 * @param logFile the file to append both output streams to, or 'inherit' for this process's streams
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
	await supervise(child, program);
	return {
		exited: child.then(({ exitCode }) => exitCode),
		hasExited: () => child.exitCode !== null || child.signalCode !== null,
		// Otherwise execa adds SIGKILL five seconds after SIGTERM.
		signal: (signal) => void child.kill(signal, { forceKillAfterTimeout: false }),
		stop: async (graceMs) => await stop(child, graceMs),
	};
}

/** Ends every program that was started here, for signal handlers. */
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
		// A separate process group, which can be ended as a whole.
		detached: true,
	} as const;
}

async function stop(child: ExecaChildProcess, graceMs = GRACE_MS): Promise<void> {
	child.kill('SIGTERM', { forceKillAfterTimeout: graceMs });
	await child;
}

/** Ends the whole process group when the program or this process ends, because execa ends only the program. */
async function supervise(child: ExecaChildProcess, program: string): Promise<void> {
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
}

function killGroup(pid: number): void {
	try {
		process.kill(-pid, 'SIGKILL');
	} catch (error) {
		// ESRCH means that the group is empty, as intended.
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}
