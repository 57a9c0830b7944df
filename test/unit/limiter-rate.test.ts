import { Rate } from '../../nodes/shared/limiter/rate';

/** A rate after ten accepted requests, when the next one is refused with this Retry-After. */
function refusedOnce(pauseMs: number): { rate: Rate; until: number } {
	const rate = new Rate(0);
	for (let sent = 0; sent < 10; sent++) rate.accept();
	const until = 100 + pauseMs;
	rate.refuse(100, until, true);
	return { rate, until };
}

// nodes/shared/limiter/README.md, "The rate": 3 % in the first step, and twice as much in each further one.
it.each([
	[1_000, 1.45],
	[2_000, 1.012],
])('a first rate rises within a second after Retry-After: %d ms (%d times)', (pauseMs, times) => {
	const { rate, until } = refusedOnce(pauseMs);
	expect(rate.perSecond(until + 1_000) / rate.perSecond(until)).toBeCloseTo(times, 2);
});

it('rises slowly after a second refusal, which has shown the limit', () => {
	const { rate, until } = refusedOnce(1_000);
	for (let sent = 0; sent < 50; sent++) rate.accept();
	rate.refuse(until + 1_000, until + 2_000, true);
	const again = until + 2_000;
	expect(rate.perSecond(again + 1_000) / rate.perSecond(again)).toBeCloseTo(1.012, 2);
});
