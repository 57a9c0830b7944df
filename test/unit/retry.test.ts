import { outcomeOf, type Outcome } from '../../nodes/shared/transport/answer.ts';
import { nextWaitMs } from '../../nodes/shared/transport/retry.ts';
import { DEFAULT_SETTINGS } from '../../nodes/shared/transport/api.ts';

const LOST: Outcome = { kind: 'lost', isTransient: true };
const NOT_REACHED: Outcome = { kind: 'neverSent', isTransient: true };
const refused = (retryAfterMs?: number): Outcome => ({
	kind: 'refused',
	isTransient: true,
	retryAfterMs,
});
const { maxRetries } = DEFAULT_SETTINGS;

describe('the backoff before a retry', () => {
	const longest = (outcome: Outcome, earlier = 0) => nextWaitMs(outcome, 'reads', earlier, () => 1);

	it('doubles up to half a minute', () => {
		const waits = [0, 1, 2, 5, 6, 50].map((earlier) => longest(refused(), earlier));
		expect(waits).toEqual([500, 1000, 2000, 16_000, 30_000, 30_000]);
	});

	it('is random in the whole range if the API refused the request', () => {
		expect(nextWaitMs(refused(), 'reads', 0, () => 0)).toBe(0);
		expect(nextWaitMs(refused(), 'reads', 0, () => 0.25)).toBe(125);
	});

	it.each([LOST, NOT_REACHED])(
		'outlasts an outage of five seconds for any random value: %j',
		(outcome) => {
			let totalMs = 0;
			for (let earlier = 0; earlier < maxRetries; earlier++) {
				totalMs += nextWaitMs(outcome, 'reads', earlier, () => 0) ?? 0;
			}
			expect(totalMs).toBeGreaterThan(5000);
		},
	);

	it('also does so after a 503 without any effect', () => {
		const body = { status: 'SERVICE_UNAVAILABLE', message: 'ERR_V1 | busy' };
		const answer = { statusCode: 503, headers: { 'retry-after': '0' }, body };
		const outcome = outcomeOf({ effect: 'sets', expects: 'acknowledgement' }, answer);
		expect(nextWaitMs(outcome, 'reads', 0, () => 0)).toBe(250);
	});

	it('follows Retry-After, unless that moment has passed or is more than ten minutes away', () => {
		expect(longest(refused(3))).toBe(3);
		expect(longest(refused(600_000))).toBe(600_000);
		expect(longest(refused(0))).toBe(500);
		expect(longest(refused(600_001))).toBeUndefined();
	});

	it('does not exist if a retry could apply the request twice, or cannot help', () => {
		expect(nextWaitMs(LOST, 'creates', 0)).toBeUndefined();
		expect(nextWaitMs(NOT_REACHED, 'creates', 0, () => 1)).toBe(500);
		expect(longest({ kind: 'lost', isTransient: false })).toBeUndefined();
	});
});
