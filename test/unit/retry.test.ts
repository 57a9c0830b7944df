import fc from 'fast-check';
import type { Outcome } from '../../nodes/shared/transport/outcome.ts';
import { isTooLong, nextWaitMs } from '../../nodes/shared/transport/retry.ts';

const refused = (askedMs?: number): Outcome => ({ kind: 'refused', isTransient: true, askedMs });

describe('the backoff before a retry', () => {
	const attempt = { repeat: 'safe' as const, earlier: 0, maxRetries: 5, outcome: refused() };

	it('doubles up to half a minute', () => {
		const longest = [0, 1, 2, 5, 6, 7, 50].map((earlier) =>
			nextWaitMs({ ...attempt, earlier, maxRetries: 99 }, () => 1),
		);
		expect(longest).toEqual([500, 1000, 2000, 16_000, 30_000, 30_000, 30_000]);
	});

	it('has full jitter', () => {
		expect(nextWaitMs(attempt, () => 0)).toBe(0);
		expect(nextWaitMs(attempt, () => 0.25)).toBe(125);
	});

	it('is shorter for the first two retries of what was refused, where the limiter keeps to a rate', () => {
		const paced = { ...attempt, perSecond: 100 };
		expect(nextWaitMs(paced, () => 1)).toBe(100);
		expect(nextWaitMs({ ...paced, perSecond: 2 }, () => 1)).toBe(500);
		expect(nextWaitMs({ ...paced, perSecond: Infinity }, () => 1)).toBe(500);
		expect(nextWaitMs({ ...paced, earlier: 1 }, () => 1)).toBe(200);
		expect(nextWaitMs({ ...paced, earlier: 2 }, () => 1)).toBe(500);
		expect(nextWaitMs({ ...paced, earlier: 3 }, () => 1)).toBe(1000);
		expect(nextWaitMs({ ...paced, outcome: refused(3) }, () => 1)).toBe(3);
		const lost: Outcome = { kind: 'lost', isTransient: true };
		expect(nextWaitMs({ ...paced, outcome: lost }, () => 1)).toBe(500);
	});

	it('is at least half of that when no connection was made, so that a server has time to start', () => {
		const outcome: Outcome = { kind: 'neverSent', isTransient: true };
		const waits = [0, 1].flatMap((random) =>
			[0, 4, 10].map((earlier) =>
				nextWaitMs({ ...attempt, earlier, maxRetries: 99, outcome }, () => random),
			),
		);
		expect(waits).toEqual([250, 4000, 15_000, 500, 8000, 30_000]);
	});

	it('is none for a request that must not be retried', () => {
		const lost: Outcome = { kind: 'lost', isTransient: true };
		expect(nextWaitMs({ ...attempt, outcome: lost }, () => 1)).toBe(500);
		expect(nextWaitMs({ ...attempt, repeat: 'creating', outcome: lost }, () => 1)).toBeUndefined();
	});

	it('is what Retry-After says, without jitter', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 600_000 }), fc.nat(4), (ms, earlier) => {
				const outcome = refused(ms);
				expect(nextWaitMs({ ...attempt, earlier, outcome }, () => 0.5)).toBe(ms);
			}),
		);
	});

	it('is none when ten minutes would not be enough', () => {
		expect(nextWaitMs({ ...attempt, outcome: refused(600_001) })).toBeUndefined();
		expect(isTooLong(600_000)).toBe(false);
		expect(isTooLong(600_001)).toBe(true);
		expect(isTooLong(undefined)).toBe(false);
	});

	it('grows as without Retry-After where that names a moment that has passed', () => {
		const half = () => 0.5;
		for (const earlier of [0, 1, 2, 3]) {
			const [now, unnamed] = [refused(0), refused()];
			const waits = [now, unnamed].map((outcome) =>
				nextWaitMs({ ...attempt, earlier, outcome }, half),
			);
			expect(waits).toEqual([250 * 2 ** earlier, 250 * 2 ** earlier]);
		}
	});

	it('is none when the retries are used up', () => {
		fc.assert(
			fc.property(fc.nat(100), fc.nat(100), (earlier, maxRetries) => {
				const waitMs = nextWaitMs({ ...attempt, earlier, maxRetries }, () => 0);
				expect(waitMs === undefined).toBe(earlier >= maxRetries);
			}),
		);
	});
});
