import { Stop } from '../../nodes/shared/limiter/stop';
import { listenersOf } from '../support/signals.mts';

describe('cancellation by a signal', () => {
	it('stops the run', () => {
		const controller = new AbortController();
		const stop = new Stop();
		stop.follow(controller.signal);
		expect(stop.isStopped).toBe(false);
		controller.abort();
		expect(stop.isStopped).toBe(true);
	});

	it('stops a run that begins after it', () => {
		const stop = new Stop();
		stop.follow(AbortSignal.abort());
		expect(stop.isStopped).toBe(true);
	});

	it('leaves no listener at the signal once the run is over, however many runs there were', () => {
		const { signal } = new AbortController();
		for (let run = 0; run < 200; run++) new Stop().follow(signal)();
		expect(listenersOf(signal)).toBe(0);
	});

	it('does not stop a run that is over', () => {
		const controller = new AbortController();
		const stop = new Stop();
		stop.follow(controller.signal)();
		controller.abort();
		expect(stop.isStopped).toBe(false);
	});

	it('is optional', () => {
		const stop = new Stop();
		stop.follow(undefined)();
		expect(stop.isStopped).toBe(false);
	});
});

it('calls each callback once, also one registered too late, and none that was unregistered', () => {
	const stop = new Stop();
	const calls: string[] = [];
	const twice = () => calls.push('twice');
	stop.onStop(twice);
	stop.onStop(twice);
	stop.onStop(() => calls.push('left'))();
	stop.stop();
	stop.stop();
	stop.onStop(() => calls.push('late'));
	expect(calls).toEqual(['twice', 'twice', 'late']);
	expect(stop.listenerCount).toBe(0);
});
