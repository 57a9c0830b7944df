import { stderr as terminal } from 'node:process';

/**
 * Runs one step of a longer job, and shows its progress and duration on standard error.
 *
 * @param title the step's name, in a few words
 * @param work the step itself
 * @param note turns the result into a few words for the finished line
 * @returns what `work` returned
 */
export async function step<T>(
	title: string,
	work: () => Promise<T>,
	note: (result: T) => string = () => '',
): Promise<T> {
	const started = Date.now();
	const finish = (mark: string, text: string) => {
		const seconds = ((Date.now() - started) / 1000).toFixed(1);
		// On a terminal, replaces the line from the start.
		const erase = terminal.isTTY ? '\x1b[1A\x1b[K' : '';
		terminal.write(`${erase}  ${mark} ${title}${text && `: ${text}`} (${seconds} s)\n`);
	};
	terminal.write(`  … ${title}\n`);
	try {
		const result = await work();
		finish('✓', note(result));
		return result;
	} catch (error) {
		finish('✗', '');
		throw error;
	}
}
