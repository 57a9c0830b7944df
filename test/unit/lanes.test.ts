import { Stop } from '../../nodes/shared/pacing/index.ts';
import { Lanes } from '../../nodes/shared/pacing/lanes.ts';

describe('the runs that share an API', () => {
	it('take turns, and one is forgotten when nothing of it is left', () => {
		const lanes = new Lanes<string>(() => {});
		const [big, small] = [new Stop(), new Stop()];
		for (const name of ['a1', 'a2', 'a3']) lanes.enter(big, 5, name);
		lanes.enter(small, 5, 'b1');
		const served: string[] = [];
		for (let lane = lanes.next(); lane; lane = lanes.next()) {
			served.push(lanes.serve(lane));
			lanes.finish(lane);
		}
		expect(served).toEqual(['a1', 'b1', 'a2', 'a3']);
		expect(lanes.size).toBe(0);
	});

	it('send first what was refused before, and last what has been refused for a probe', () => {
		const lanes = new Lanes<string>(() => {});
		const run = new Stop();
		for (const name of ['a', 'b', 'c']) lanes.enter(run, 5, name);
		const lane = lanes.enter(run, 5, 'again', true);
		expect(lanes.serve(lane, true)).toBe('c');
		expect([lanes.serve(lane), lanes.serve(lane)]).toEqual(['again', 'a']);
	});

	it('have no more in flight than each wants', () => {
		const lanes = new Lanes<string>(() => {});
		const lane = lanes.enter(new Stop(), 1, 'first');
		lanes.enter(lane.run, 1, 'second');
		lanes.serve(lane);
		expect(lanes.next()).toBeUndefined();
		lanes.finish(lane);
		expect(lanes.next()).toBe(lane);
	});

	it('say whether anything waits', () => {
		const lanes = new Lanes<string>(() => {});
		expect(lanes.isAnyWaiting).toBe(false);
		const lane = lanes.enter(new Stop(), 1, 'first');
		expect(lanes.isAnyWaiting).toBe(true);
		lanes.serve(lane);
		expect(lanes.isAnyWaiting).toBe(false);
		const other = lanes.enter(new Stop(), 1, 'other');
		expect(lanes.isAnyWaiting).toBe(true);
		lanes.remove(other, 'other');
		expect(lanes.isAnyWaiting).toBe(false);
		expect(lanes.size).toBe(1);
	});

	it('want as much as the one that wants the most', () => {
		const lanes = new Lanes<string>(() => {});
		expect(lanes.max).toBe(1);
		const one = lanes.enter(new Stop(), 7, 'one');
		lanes.enter(new Stop(), 3, 'other');
		expect(lanes.max).toBe(7);
		lanes.remove(one, 'one');
		expect(lanes.max).toBe(3);
	});

	it('hear of a run that is stopped only while something of it waits or is on its way', () => {
		const stopped: string[][] = [];
		const lanes = new Lanes<string>((waiting) => stopped.push(waiting));
		const [run, over] = [new Stop(), new Stop()];
		lanes.enter(run, 1, 'first');
		lanes.enter(run, 1, 'second');
		const ended = lanes.enter(over, 1, 'ended');
		lanes.serve(ended);
		lanes.finish(ended);
		run.stop();
		over.stop();
		expect(stopped).toEqual([['first', 'second']]);
		expect(lanes.size).toBe(0);
	});
});
