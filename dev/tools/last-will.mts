import { spawn } from 'node:child_process';

/**
 * Runs a script in a shell after this process has ended, even by SIGKILL, which allows no handler. The shell waits for
 * its standard input, which the system closes when this process ends.
 *
 * @param script the script, with the argument as "$0"
 * @returns a function that cancels it
 */
export function whenThisProcessIsGone(script: string, argument: string): () => void {
	const shell = spawn('sh', ['-c', `read -r line || { ${script}; }`, argument], {
		stdio: ['pipe', 'ignore', 'ignore'],
		// A separate group, because Ctrl-C in the terminal would end the shell, too.
		detached: true,
	});
	shell.unref();
	return () => void shell.stdin.end('cancelled\n');
}
