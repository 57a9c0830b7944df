import { Stop } from '../../nodes/shared/limiter/index.ts';
import { FairQueue } from '../../nodes/shared/limiter/fairQueue.ts';

describe('a fair queue of runs', () => {
	it('serves them round-robin, and drops one that has no request left', () => {
		const queue = new FairQueue<string>(() => {});
		const [big, small] = [new Stop(), new Stop()];
		for (const name of ['a1', 'a2', 'a3']) queue.enter(big, 5, name);
		queue.enter(small, 5, 'b1');
		const served: string[] = [];
		for (let runQueue = queue.next(); runQueue; runQueue = queue.next()) {
			served.push(queue.serve(runQueue));
			queue.finish(runQueue);
		}
		expect(served).toEqual(['a1', 'b1', 'a2', 'a3']);
		expect(queue.size).toBe(0);
	});

	it('serves a repeated request first, and as a probe the one that came last', () => {
		const queue = new FairQueue<string>(() => {});
		const run = new Stop();
		for (const name of ['a', 'b', 'c']) queue.enter(run, 5, name);
		const runQueue = queue.enter(run, 5, 'again', true);
		expect(queue.serve(runQueue, true)).toBe('c');
		expect([queue.serve(runQueue), queue.serve(runQueue)]).toEqual(['again', 'a']);
	});

	it('keeps each run to its own maximum in flight', () => {
		const queue = new FairQueue<string>(() => {});
		const runQueue = queue.enter(new Stop(), 1, 'first');
		queue.enter(runQueue.run, 1, 'second');
		queue.serve(runQueue);
		expect(queue.next()).toBeUndefined();
		queue.finish(runQueue);
		expect(queue.next()).toBe(runQueue);
	});

	it('says whether any request waits', () => {
		const queue = new FairQueue<string>(() => {});
		expect(queue.isAnyWaiting).toBe(false);
		const runQueue = queue.enter(new Stop(), 1, 'first');
		expect(queue.isAnyWaiting).toBe(true);
		queue.serve(runQueue);
		expect(queue.isAnyWaiting).toBe(false);
		const other = queue.enter(new Stop(), 1, 'other');
		expect(queue.isAnyWaiting).toBe(true);
		queue.remove(other, 'other');
		expect(queue.isAnyWaiting).toBe(false);
		expect(queue.size).toBe(1);
	});

	it('allows as many as the largest maximum', () => {
		const queue = new FairQueue<string>(() => {});
		expect(queue.max).toBe(1);
		const one = queue.enter(new Stop(), 7, 'one');
		queue.enter(new Stop(), 3, 'other');
		expect(queue.max).toBe(7);
		queue.remove(one, 'one');
		expect(queue.max).toBe(3);
	});

	it('hands over the waiting requests of a run that is stopped, once', () => {
		const stopped: string[][] = [];
		const queue = new FairQueue<string>((waiting) => stopped.push(waiting));
		const [run, over] = [new Stop(), new Stop()];
		queue.enter(run, 1, 'first');
		queue.enter(run, 1, 'second');
		const ended = queue.enter(over, 1, 'ended');
		queue.serve(ended);
		queue.finish(ended);
		run.stop();
		over.stop();
		expect(stopped).toEqual([['first', 'second']]);
		expect(queue.size).toBe(0);
	});
});
