import { spawn } from 'node:child_process';

/**
 * Has a shell run a script once this process has ended, even by SIGKILL, which leaves it no time for a handler:
 * the shell waits for a line on its standard input, which the system closes for a dead process.
 *
 * @param script what to run then, with the argument as "$0"
 * @returns a function that cancels it
 */
export function whenThisProcessIsGone(script: string, argument: string): () => void {
	const shell = spawn('sh', ['-c', `read -r line || { ${script}; }`, argument], {
		stdio: ['pipe', 'ignore', 'ignore'],
		// A group of its own, or Ctrl-C in the terminal would end the shell too.
		detached: true,
	});
	shell.unref();
	return () => void shell.stdin.end('cancelled\n');
}
