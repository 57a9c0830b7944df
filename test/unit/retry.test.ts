import fc from 'fast-check';
import type { Outcome } from '../../nodes/shared/retry.ts';
import { isOutcomeUnknown, isRepeatable, isTooLong, nextWaitMs } from '../../nodes/shared/retry.ts';

const METHODS = ['GET', 'PUT', 'PATCH', 'POST'];
const status = (code: number, retryAfterMs?: number): Outcome => ({
	kind: 'status',
	status: code,
	retryAfterMs,
});
const LOST: Outcome = { kind: 'lost' };
const UNREACHABLE: Outcome = { kind: 'unreachable' };

// Whether a request is repeated, and whether a create that is not may have happened.
const POLICY: Array<[string, Outcome, others: boolean, post: boolean, mayExist: boolean]> = [
	['429', status(429), true, true, false],
	['429 with Retry-After', status(429, 0), true, true, false],
	['503', status(503), true, false, true],
	['503 with Retry-After', status(503, 1000), true, true, false],
	['500', status(500), true, false, true],
	['500 with Retry-After', status(500, 1000), true, false, true],
	['502', status(502), true, false, true],
	['504', status(504), true, false, true],
	['501', status(501), false, false, true],
	['lost', LOST, true, false, true],
	['unreachable', UNREACHABLE, false, false, false],
	...[200, 301, 400, 401, 403, 404, 405, 409, 418].map(
		(code): [string, Outcome, boolean, boolean, boolean] => [
			String(code),
			status(code),
			false,
			false,
			false,
		],
	),
];

describe.each(POLICY)('after %s', (_, outcome, others, post, mayExist) => {
	it.each(METHODS)('%s', (method) => {
		expect(isRepeatable(method, outcome)).toBe(method === 'POST' ? post : others);
		expect(isOutcomeUnknown(method, outcome)).toBe(method === 'POST' && mayExist);
	});
});

describe('the wait before the next attempt', () => {
	const attempt = { method: 'GET', earlier: 0, maxRetries: 5, outcome: status(503) };

	it('doubles up to half a minute', () => {
		const longest = [0, 1, 2, 5, 6, 7, 50].map((earlier) =>
			nextWaitMs({ ...attempt, earlier, maxRetries: 99 }, () => 1),
		);
		expect(longest).toEqual([500, 1000, 2000, 16_000, 30_000, 30_000, 30_000]);
	});

	it('is drawn from the whole range below that', () => {
		expect(nextWaitMs(attempt, () => 0)).toBe(0);
		expect(nextWaitMs(attempt, () => 0.25)).toBe(125);
	});

	it('is what Retry-After says, without chance', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 600_000 }), fc.nat(4), (ms, earlier) => {
				const outcome = status(429, ms);
				expect(nextWaitMs({ ...attempt, earlier, outcome }, () => 0.5)).toBe(ms);
			}),
		);
	});

	it('is none when ten minutes would not be enough', () => {
		expect(nextWaitMs({ ...attempt, outcome: status(429, 600_001) })).toBeUndefined();
		expect(isTooLong(600_000)).toBe(false);
		expect(isTooLong(600_001)).toBe(true);
		expect(isTooLong(undefined)).toBe(false);
	});

	it('grows as without Retry-After where that names a moment that has passed', () => {
		const half = () => 0.5;
		for (const earlier of [0, 1, 2, 3]) {
			const [now, unnamed] = [status(503, 0), status(503)];
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
