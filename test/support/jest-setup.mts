import { addEventHandler } from 'jest-circus';

// Adds the features of Jest that jest-light-runner lacks: timeouts, jest.mocked.

// Jest disconnects at the end. Open handles of n8n-core would keep this process running.
process.once('disconnect', () => process.exit());
// Programs that tests start do not need it.
delete process.env.NODE_OPTIONS;

const TIMEOUT_MS = Number(process.env.TEST_TIMEOUT_MS ?? 30_000);

addEventHandler((event, { currentDescribeBlock }) => {
	if (event.name === 'add_test') limitTime(currentDescribeBlock.children.at(-1) as Limited);
	if (event.name === 'add_hook') limitTime(currentDescribeBlock.hooks.at(-1) as Limited);
});

interface Limited {
	fn?: () => unknown;
	timeout?: number;
}

function limitTime(limited: Limited): void {
	const { fn, timeout = TIMEOUT_MS } = limited;
	if (!fn) return;
	limited.fn = async () => {
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<never>((_, reject) => {
			timer = setTimeout(() => reject(new Error(`It took longer than ${timeout} ms`)), timeout);
		});
		try {
			await Promise.race([fn(), late]);
		} finally {
			clearTimeout(timer);
		}
	};
}

Object.assign(jest, { mocked: <T,>(value: T) => value });
