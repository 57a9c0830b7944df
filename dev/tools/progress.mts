import { stderr as terminal } from 'node:process';

const LIVE_UPDATE_MS = 1_000;
const LOG_UPDATE_MS = 30_000;

/**
 * Runs one step of a longer job and shows that it is going on: on a terminal a line that counts the
 * seconds, in a log a line every half minute.
 *
 * @param title what is being done, in a few words
 * @param work the step itself; what it returns is handed on
 * @param note turns the result into a few words for the finished line
 * @returns what `work` returned
 * @throws what `work` threw, after the line was marked as not done
 */
export async function step<T>(
	title: string,
	work: () => Promise<T>,
	note: (result: T) => string = () => '',
): Promise<T> {
	const started = Date.now();
	const elapsed = () => `${((Date.now() - started) / 1000).toFixed(terminal.isTTY ? 0 : 1)} s`;
	if (terminal.isTTY) terminal.write(`  … ${title}`);
	const timer = setInterval(
		() => {
			if (terminal.isTTY) terminal.write(`\r\x1b[K  … ${title} (${elapsed()})`);
			else terminal.write(`  … ${title}, ${elapsed()} so far\n`);
		},
		terminal.isTTY ? LIVE_UPDATE_MS : LOG_UPDATE_MS,
	);
	const finish = (mark: string, text: string) => {
		clearInterval(timer);
		terminal.write(`${terminal.isTTY ? '\r\x1b[K' : ''}  ${mark} ${title}${text} (${elapsed()})\n`);
	};
	try {
		const result = await work();
		const said = note(result);
		finish('✓', said === '' ? '' : `: ${said}`);
		return result;
	} catch (error) {
		finish('✗', '');
		throw error;
	}
}
