import { Hindrance } from '../../nodes/shared/api/hindrance';
import type { Limiter, Pauses } from '../../nodes/shared/pacing';

/** A run with an API that has asked for these pauses by now. */
function runWith(before: Pauses) {
	const limiter = { pauses: before, perSecond: Infinity };
	const hindrance = new Hindrance(limiter as Limiter);
	return {
		hindrance,
		pauseFor: (totalMs: number, count = 1) => {
			const { pauses } = limiter;
			limiter.pauses = { count: pauses.count + count, totalMs: pauses.totalMs + totalMs };
		},
		keepTo: (perSecond: number) => (limiter.perSecond = perSecond),
	};
}

const NONE = { count: 0, totalMs: 0 };

it('reports nothing of a run without retries and pauses, although earlier runs had some', () => {
	const { hindrance, keepTo } = runWith({ count: 3, totalMs: 9_000 });
	keepTo(5);
	expect(hindrance.tell()).toBeUndefined();
});

it('reports no pause that would be shown as 0.0 s', () => {
	const { hindrance, pauseFor } = runWith(NONE);
	pauseFor(49);
	expect(hindrance.tell()).toBeUndefined();
	pauseFor(50);
	expect(hindrance.tell()).toBe('1 pause, 0.1 s in total');
});

it('reports retries, pauses and the rate limit since the last report', () => {
	const { hindrance, pauseFor, keepTo } = runWith({ count: 1, totalMs: 500 });
	hindrance.repeated = 2;
	pauseFor(3_000, 2);
	keepTo(9.2);
	expect(hindrance.tell()).toBe(
		'2 requests sent again; 2 pauses, 3.0 s in total; now sending about 10 requests a second',
	);
	expect(hindrance.tell()).toBeUndefined();
	hindrance.repeated = 1;
	expect(hindrance.tell()).toMatch(/^1 request sent again; now sending/);
});
