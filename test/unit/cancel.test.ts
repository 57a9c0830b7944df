import { Cancellation, untilCancelled, wait } from '../../nodes/shared/async/cancel';
import { Limiter } from '../../nodes/shared/limiter/queue.ts';
import { call, Cancelled } from '../../nodes/shared/transport/call';
import { READ, type Api } from '../../nodes/shared/transport';
import { listenersOf } from '../support/signals.mts';
import { SimulatedClock } from '../support/simulation.mts';

const HOURS = 5 * 3_600_000;
const never = async () => await new Promise<never>(() => {});

describe('Cancellation by a signal', () => {
	it('stops the execution, even one that starts later', () => {
		const controller = new AbortController();
		const [before, after] = [new Cancellation(), new Cancellation()];
		before.follow(controller.signal);
		expect(before.isCancelled).toBe(false);
		controller.abort();
		after.follow(controller.signal);
		expect([before.isCancelled, after.isCancelled]).toEqual([true, true]);
	});

	it('removes its listener from the signal after the execution, and no longer stops it', () => {
		const controller = new AbortController();
		const stop = new Cancellation();
		for (let run = 0; run < 200; run++) stop.follow(controller.signal)();
		expect(listenersOf(controller.signal)).toBe(0);
		controller.abort();
		expect(stop.isCancelled).toBe(false);
	});
});

it('calls each callback of a cancellation once, even one registered too late, but none that was unregistered', () => {
	const stop = new Cancellation();
	const calls: string[] = [];
	stop.onCancel(() => calls.push('once'));
	stop.onCancel(() => calls.push('left'))();
	stop.cancel();
	stop.cancel();
	stop.onCancel(() => calls.push('late'));
	expect(calls).toEqual(['once', 'late']);
	expect(stop.listenerCount).toBe(0);
});

describe('Wait', () => {
	it.each([0, 1])(
		'ends a wait immediately if the execution or the request is stopped (%d)',
		async (which) => {
			const stops = [new Cancellation(), new Cancellation()];
			const waiting = Promise.all([wait(HOURS, ...stops), untilCancelled(never(), stops[which])]);
			stops[which].cancel();
			await waiting;
			await wait(HOURS, undefined, ...stops);
			expect(stops.map(({ isCancelled }) => isCancelled)).toEqual([which === 0, which === 1]);
		},
	);

	it('waits for the specified time, and leaves no callback registered', async () => {
		const stop = new Cancellation();
		let resolve = () => {};
		const other = new Promise<void>((done) => (resolve = done));
		const before = performance.now();
		// Longer than a slice.
		const waiting = Array.from({ length: 20 }, async () => await wait(300, stop));
		waiting.push(untilCancelled(other, stop));
		expect(stop.listenerCount).toBe(1);
		await Promise.all(waiting.slice(0, 20));
		// Timers can be early by a fraction of a millisecond, but not more.
		expect(performance.now() - before).toBeGreaterThanOrEqual(298);
		resolve();
		await Promise.all(waiting);
		expect(stop.listenerCount).toBe(0);
	});
});

it('leaves the permit of a cancelled request to other executions', async () => {
	const clock = new SimulatedClock();
	const limiter = new Limiter(clock);
	const settings = { maxRequestsAtOnce: 1, maxRetries: 0 };
	const cancellation = new Cancellation();
	const api = { limiter, settings, cancellation } as Api;
	const sending = call(api, { ...READ, path: '/users/me', expects: 'acknowledgement' });
	// The limiter has granted the permit, but the request has not continued yet.
	cancellation.cancel();
	await expect(sending).rejects.toThrow(Cancelled);
	let isGranted = false;
	const other = limiter.acquire({ run: new Cancellation(), max: settings.maxRequestsAtOnce });
	void other.then(() => (isGranted = true));
	await clock.pass(0);
	expect(isGranted).toBe(true);
});
