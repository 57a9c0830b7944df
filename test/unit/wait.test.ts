import { sleep } from 'n8n-workflow';
import { Stop } from '../../nodes/shared/limiter/stop.ts';
import { unlessStopped, untilStopped, wait } from '../../nodes/shared/limiter/wait.ts';

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

it('leaves no callback registered when it is over, however many waited and however long', async () => {
	const stop = new Stop();
	let resolve = () => {};
	const other = new Promise<void>((done) => (resolve = done));
	// Longer than a slice.
	const waiting = Array.from({ length: 20 }, async () => await wait(300, stop));
	waiting.push(untilStopped(other, stop));
	expect(stop.listenerCount).toBe(21);
	await Promise.all(waiting.slice(0, 20));
	expect(stop.listenerCount).toBe(1);
	resolve();
	await Promise.all(waiting);
	expect(stop.listenerCount).toBe(0);
});

describe('a promise that is waited for unless the run is stopped', () => {
	it('gives its outcome, and leaves no callback registered', async () => {
		const stop = new Stop();
		expect(await unlessStopped(Promise.resolve('done'), stop)).toBe('done');
		await expect(unlessStopped(Promise.reject(new Error('gone')), stop)).rejects.toThrow('gone');
		await Promise.resolve();
		expect(stop.listenerCount).toBe(0);
	});

	it('gives undefined while it is pending, stopped before or meanwhile', async () => {
		const stop = new Stop();
		const waiting = unlessStopped(new Promise<string>(() => {}), stop);
		stop.stop();
		expect(await waiting).toBeUndefined();
		expect(await unlessStopped(new Promise<string>(() => {}), stop)).toBeUndefined();
	});

	it('gives its own outcome where the stop settles it', async () => {
		const stop = new Stop();
		const ending = async () => {
			await untilStopped(new Promise(() => {}), stop);
			throw new TypeError('cut off');
		};
		const waiting = unlessStopped(ending(), stop);
		stop.stop();
		await expect(waiting).rejects.toThrow('cut off');
	});

	it('may reject after the wait has ended', async () => {
		const stop = new Stop();
		let fail: (reason: Error) => void = () => {};
		const waiting = unlessStopped(new Promise<void>((_, reject) => (fail = reject)), stop);
		stop.stop();
		expect(await waiting).toBeUndefined();
		fail(new Error('too late'));
		await sleep(0);
	});
});
