import { Cancellation } from '../../nodes/shared/async/cancel';
import type { Answers } from '../support/simulation.mts';
import {
	atMost,
	byChance,
	fixedWindow,
	leakyBucket,
	repeatable,
	sendAll,
	simulate,
	SimulatedClock,
	slidingCounter,
	tokenBucket,
} from '../support/simulation.mts';

const UPDATES = 500;
const PER_SECOND = 100;
const AT_ONCE = 50;
const SEEDS = [1, 2, 3];
const MAX_RETRIES = 5;

interface Others {
	updates?: number;
	/** The maximum share of refused requests, 15 % unless set. */
	refused?: number;
	/** The shortest and the longest time until an answer, 9 and 11 unless set. */
	latencyMs?: [least: number, most: number];
}

/** `leastMs` is the time when sending at exactly the limit, `times` the target as a multiple of it. */
type Limit = [
	name: string,
	make: (random: () => number) => Answers,
	leastMs: number,
	times: number,
	others?: Others,
];

/** Refuses with 503, nginx's default. */
function as503(answers: Answers): Answers {
	return (now, working) => {
		const answer = answers(now, working);
		return answer.status === 200 ? answer : { ...answer, status: 503 };
	};
}

const bucketMs = (burst: number) => ((UPDATES - burst) / PER_SECOND) * 1_000;
// 1,000 updates, 50 concurrent ones, 10 ms each. A refused request waits up to half a second, and the second time up to
// a second.
const CHANCE_MS = 200 + 1_500;

/** Refuses at random before a limit does. */
function chanceBeside(chance: Answers, limit: Answers): Answers {
	return (now, working) => {
		const answer = chance(now, working);
		return answer.status === 200 ? limit(now, working) : answer;
	};
}

// Few requests are refused together beside such answers.
const UNEVEN: Others = { latencyMs: [20, 80] };

const limits: Limit[] = [
	['nginx, no burst', () => leakyBucket(PER_SECOND, 0), bucketMs(1), 2],
	['nginx, burst of 20', () => as503(leakyBucket(PER_SECOND, 20, 20)), bucketMs(21), 1.3],
	['nginx, burst of 20, delayed', () => leakyBucket(PER_SECOND, 20), bucketMs(1), 1.3],
	['nginx, burst of 100, 20 at once', () => leakyBucket(PER_SECOND, 100, 20), bucketMs(21), 1.3],
	[
		'nginx, burst of 10, answers take 400 ms',
		() => leakyBucket(PER_SECOND, 10, 10),
		bucketMs(11),
		2.5,
		{ latencyMs: [360, 440] },
	],
	['nginx, 10 connections', () => atMost(10), 500 + CHANCE_MS, 1],
	// The maximum that its counter allows: this many in each period, the first ones immediately.
	['HAProxy, 200 in a sliding 2 s', () => slidingCounter(200, 2_000), 5_000, 1.6],
	[
		'HAProxy, 500 in a sliding 10 s',
		() => slidingCounter(500, 10_000),
		20_000,
		1.6,
		{ updates: 1_000 },
	],
	['100 in each second', () => fixedWindow(100, 1_000), 5_000, 1.3],
	['10 in each 100 ms, Retry-After: 1', () => fixedWindow(10, 100, 1_000), 4_900, 1.8],
	['bucket of 10, Retry-After: 1', () => tokenBucket(PER_SECOND, 10, 1_000), bucketMs(10), 1.8],
	[
		'bucket of 10, Retry-After: 1, a long run',
		() => tokenBucket(PER_SECOND, 10, 1_000),
		49_900,
		1.4,
		{ updates: 5_000 },
	],
	...[10, 100].map((burst): Limit => [
		`bucket of ${burst}, Retry-After: 2`,
		() => tokenBucket(PER_SECOND, burst, 2_000),
		bucketMs(burst),
		2,
	]),
	['10 in each 100 ms, Retry-After: 2, 503', () => as503(fixedWindow(10, 100, 2_000)), 4_900, 2],
	[
		'bucket of 10, Retry-After: 1, answers take 20 to 80 ms',
		() => tokenBucket(PER_SECOND, 10, 1_000),
		bucketMs(10),
		1.8,
		UNEVEN,
	],
	[
		'bucket of 10, Retry-After: 2, answers take 20 to 80 ms',
		() => tokenBucket(PER_SECOND, 10, 2_000),
		bucketMs(10),
		3,
		UNEVEN,
	],
	[
		'10 in each 100 ms, Retry-After: 1, answers take 20 to 80 ms',
		() => fixedWindow(10, 100, 1_000),
		4_900,
		2,
		UNEVEN,
	],
	['bucket of 10', () => tokenBucket(PER_SECOND, 10), bucketMs(10), 1.8],
	['2 a second', () => tokenBucket(2, 1), 49_500, 1.7, { updates: 100, refused: 0.6 }],
	['1 a second', () => tokenBucket(1, 1), 19_000, 2, { updates: 20, refused: 0.7 }],
	['1 in 10 s', () => tokenBucket(0.1, 1), 190_000, 2, { updates: 20, refused: 0.8 }],
	[
		'1 in 10 s, Retry-After: 10',
		() => tokenBucket(0.1, 1, 10_000),
		190_000,
		3,
		{ updates: 20, refused: 0.7 },
	],
	...[429, 503].flatMap((status) =>
		[0.01, 0.03, 0.05, 0.1].map((share): Limit => [
			`chance, ${100 * share} %, ${status}`,
			(random) => byChance(share, random, status),
			CHANCE_MS,
			share > 0.05 ? 3 : 1,
			{ updates: 1_000, refused: share + 0.03 },
		]),
	),
	['chance, 10 %, 5,000 updates', (random) => byChance(0.1, random), 1_000, 30, { updates: 5_000 }],
	// Counts as a limit, so it takes several times as long as the twenty pauses.
	[
		'chance, 1 %, Retry-After: 1',
		(random) => byChance(0.01, random, 429, 1_000),
		20_000,
		7,
		{ updates: 2_000 },
	],
	[
		'chance beside a limit',
		(random) => chanceBeside(byChance(0.03, random), tokenBucket(PER_SECOND, 20)),
		19_800,
		1.3,
		{ updates: 2_000 },
	],
];

// The targets, as multiples of the time when sending at exactly the limit.
describe('a rate limit of a gateway that refuses immediately', () => {
	const rows = limits.flatMap((limit) => SEEDS.map((seed) => [limit[0], seed, limit] as const));
	it.each(rows)('%s (%i)', async (_, seed, [, make, leastMs, times, others = {}]) => {
		const { updates = UPDATES, latencyMs = [9, 11], refused = 0.15 } = others;
		const [least, most] = latencyMs;
		const random = repeatable(seed * 7_919);
		const simulation = simulate(make(random), {
			latencyMs: () => least + (most - least) * random(),
			refusalMs: () => 0.5 + random(),
			random,
		});
		const retries = await sendAll(simulation, updates, AT_ONCE);
		const { arrivals, clock } = simulation;
		const applied = arrivals.filter(({ status }) => status === 200);
		expect(new Set(applied.map(({ item }) => item)).size).toBe(updates);
		expect(applied).toHaveLength(updates);
		expect(Math.max(...retries)).toBeLessThanOrEqual(MAX_RETRIES);
		expect(clock.now() / leastMs).toBeLessThanOrEqual(times);
		expect(1 - updates / arrivals.length).toBeLessThanOrEqual(refused);
	});
});

it.each([
	['without Retry-After', undefined],
	['with Retry-After', 1_000],
])(
	'four workers that share a rate limit need less than twice the time %s',
	async (_, retryAfterMs) => {
		const [clock, random] = [new SimulatedClock(), repeatable(7)];
		const answers = tokenBucket(PER_SECOND, 20, retryAfterMs);
		const setup = { latencyMs: () => 10, refusalMs: () => 1, random, clock };
		const workers = Array.from({ length: 4 }, () => simulate(answers, setup));
		const items = workers.flatMap(({ send }) => {
			const ticket = { run: new Cancellation(), max: 20 };
			return Array.from({ length: UPDATES }, async (_, item) => await send(item, ticket));
		});
		await clock.run(Promise.all(items));
		const sent = workers.reduce((sum, { arrivals }) => sum + arrivals.length, 0);
		expect(clock.now()).toBeLessThan((2 * 1_000 * items.length) / PER_SECOND);
		expect(1 - items.length / sent).toBeLessThan(0.15);
	},
);
