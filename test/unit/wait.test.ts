import { Stop } from '../../nodes/shared/stop.ts';
import { untilStopped, wait } from '../../nodes/shared/wait.ts';

const HOURS = 5 * 3_600_000;

it('waits as long as it is told', async () => {
	const before = Date.now();
	await wait(300);
	// Timers may be early by a fraction of a millisecond, never by more.
	expect(Date.now() - before).toBeGreaterThanOrEqual(298);
});

it.each([0, -5])('does not wait for %d ms', async (ms) => {
	let isOver = false;
	void wait(ms).then(() => (isOver = true));
	for (let tick = 0; tick < 10; tick++) await Promise.resolve();
	expect(isOver).toBe(true);
});

it('ends at once when the run is stopped, before or meanwhile', async () => {
	const stop = new Stop();
	const waiting = Promise.all([wait(HOURS, stop), untilStopped(new Promise(() => {}), stop)]);
	stop.stop();
	await waiting;
	await wait(HOURS, stop);
	expect(stop.isStopped).toBe(true);
});

describe('a stop', () => {
	it('follows a signal that is aborted later, or was before', async () => {
		for (const isAbortedBefore of [true, false]) {
			const controller = new AbortController();
			if (isAbortedBefore) controller.abort();
			const stop = new Stop();
			stop.follow(controller.signal);
			expect(stop.isStopped).toBe(isAbortedBefore);
			controller.abort();
			await stop.whenStopped;
			expect(stop.isStopped).toBe(true);
		}
	});

	it('without a signal goes on', () => {
		const stop = new Stop();
		stop.follow(undefined);
		expect(stop.isStopped).toBe(false);
	});
});
