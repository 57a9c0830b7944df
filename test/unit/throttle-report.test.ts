import { ThrottleReport } from '../../nodes/shared/transport/throttleReport';
import type { Limiter, Pauses } from '../../nodes/shared/limiter';

/** A run with an API that has asked for these pauses by now. */
function runWith(before: Pauses) {
	const limiter = { pauses: before, perSecond: Infinity };
	const report = new ThrottleReport(limiter as Limiter);
	return {
		report,
		pauseFor: (totalMs: number, count = 1) => {
			const { pauses } = limiter;
			limiter.pauses = { count: pauses.count + count, totalMs: pauses.totalMs + totalMs };
		},
		keepTo: (perSecond: number) => (limiter.perSecond = perSecond),
	};
}

const NONE = { count: 0, totalMs: 0 };

it('reports nothing of a run without retries and pauses, although earlier runs had some', () => {
	const { report, keepTo } = runWith({ count: 3, totalMs: 9_000 });
	keepTo(5);
	expect(report.tell()).toBeUndefined();
});

it('reports no pause that would be shown as 0.0 s', () => {
	const [short, long] = [runWith(NONE), runWith(NONE)];
	short.pauseFor(49);
	expect(short.report.tell()).toBeUndefined();
	long.pauseFor(50);
	expect(long.report.tell()).toBe('1 pause, 0.1 s in total');
});

it('reports retries, pauses and the rate limit', () => {
	const { report, pauseFor, keepTo } = runWith({ count: 1, totalMs: 500 });
	report.retried = 2;
	pauseFor(3_000, 2);
	keepTo(9.2);
	expect(report.tell()).toBe(
		'2 requests sent again; 2 pauses, 3.0 s in total; now sending about 10 requests a second',
	);
	expect(report.pausedSeconds).toBe(3);
});

it('reports one retry as one', () => {
	const { report } = runWith(NONE);
	report.retried = 1;
	expect(report.tell()).toBe('1 request sent again');
});
