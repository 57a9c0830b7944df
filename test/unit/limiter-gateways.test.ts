import type { Answers, Latency } from '../../dev/bench/simulation.mts';
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
} from '../../dev/bench/simulation.mts';
import { Stop } from '../../nodes/shared/limiter/stop';

const UPDATES = 500;
const PER_SECOND = 100;
const AT_ONCE = 50;
const SEEDS = [1, 2, 3];

interface Row {
	make: (random: () => number) => Answers;
	updates?: number;
	/** What the limit itself takes. */
	leastMs: number;
	times: number;
	refused: number;
	/** How long an answer takes; 10 unless given. */
	latencyMs?: number;
}

/** Refuses with 503, as nginx does unless it is told otherwise. */
function as503(answers: Answers): Answers {
	return (now, working) => {
		const answer = answers(now, working);
		return answer.status === 200 ? answer : { ...answer, status: 503 };
	};
}

const bucketMs = (burst: number) => ((UPDATES - burst) / PER_SECOND) * 1_000;
// 1,000 updates, 50 at once, 10 ms each. Requests that are refused wait up to half a second before they are
// sent again, up to a second the second time.
const CHANCE_MS = 200;
const REPEATED_MS = 1_500;

const limits: Record<string, Row> = {
	'nginx, no burst': {
		make: () => leakyBucket(PER_SECOND, 0),
		leastMs: bucketMs(1),
		times: 2,
		refused: 0.1,
	},
	'nginx, burst of 20': {
		make: () => leakyBucket(PER_SECOND, 20, 20),
		leastMs: bucketMs(21),
		times: 1.1,
		refused: 0.1,
	},
	'nginx, burst of 20, 503': {
		make: () => as503(leakyBucket(PER_SECOND, 20, 20)),
		leastMs: bucketMs(21),
		times: 1.1,
		refused: 0.1,
	},
	'nginx, burst of 200': {
		make: () => leakyBucket(PER_SECOND, 200, 200),
		leastMs: bucketMs(201),
		times: 1.2,
		refused: 0.12,
	},
	'nginx, burst of 20, delayed': {
		make: () => leakyBucket(PER_SECOND, 20),
		leastMs: bucketMs(1),
		times: 1.1,
		refused: 0.05,
	},
	'nginx, burst of 100, delayed from 20 on': {
		make: () => leakyBucket(PER_SECOND, 100, 20),
		leastMs: bucketMs(21),
		times: 1.1,
		refused: 0.05,
	},
	'nginx, 10 connections': {
		make: () => atMost(10),
		leastMs: 500 + REPEATED_MS,
		times: 1,
		refused: 0.1,
	},
	// What its counter lets through at best: as many in each period, the first at once.
	'HAProxy, 200 in a sliding 2 s': {
		make: () => slidingCounter(200, 2_000),
		leastMs: 5_000,
		times: 1.5,
		refused: 0.1,
	},
	'HAProxy, 500 in a sliding 10 s': {
		make: () => slidingCounter(500, 10_000),
		updates: 1_000,
		leastMs: 20_000,
		times: 1.5,
		refused: 0.1,
	},
	'100 in each second': {
		make: () => fixedWindow(100, 1_000),
		leastMs: 5_000,
		times: 1.1,
		refused: 0.1,
	},
	'10 in each 100 ms': {
		make: () => fixedWindow(10, 100),
		leastMs: 4_900,
		times: 1.3,
		refused: 0.12,
	},
	'10 in each 100 ms, Retry-After: 1': {
		make: () => fixedWindow(10, 100, 1_000),
		leastMs: 4_900,
		times: 1.5,
		refused: 0.05,
	},
	'10 at once, Retry-After: 1': {
		make: () => tokenBucket(PER_SECOND, 10, 1_000),
		leastMs: bucketMs(10),
		times: 1.4,
		refused: 0.05,
	},
	'2 a second': {
		make: () => tokenBucket(2, 1),
		updates: 100,
		leastMs: 49_500,
		times: 1.7,
		refused: 0.4,
	},
	...Object.fromEntries(
		[429, 503].flatMap((status) =>
			[0.01, 0.03, 0.05, 0.1].map((share) => [
				`chance, ${100 * share} %, ${status}`,
				{
					make: (random: () => number) => byChance(share, random, status),
					updates: 1_000,
					leastMs: CHANCE_MS + REPEATED_MS * (share > 0.05 ? 3.5 : 1),
					times: 1,
					refused: share + 0.03,
				},
			]),
		),
	),
	'chance beside a limit': {
		make: (random) => {
			const [chance, limit] = [byChance(0.03, random), tokenBucket(PER_SECOND, 20)];
			return (now, working) => {
				const answer = chance(now, working);
				return answer.status === 200 ? limit(now, working) : answer;
			};
		},
		updates: 2_000,
		leastMs: 19_800,
		times: 1.2,
		refused: 0.12,
	},
};

async function through({ make, updates = UPDATES, latencyMs = 10 }: Row, seed: number) {
	const random = repeatable(seed * 7_919);
	const latency: Latency = () => latencyMs * (0.9 + 0.2 * random());
	// A gateway refuses at once, long before the answers to what was sent with it.
	const simulation = simulate(make(random), latency, random, () => 0.5 + random());
	await sendAll(simulation, updates, AT_ONCE);
	const { sent } = simulation;
	const applied = sent.filter(({ status }) => status === 200);
	expect(new Set(applied.map(({ item }) => item)).size).toBe(updates);
	expect(applied).toHaveLength(updates);
	return { ms: simulation.clock.now(), refused: 1 - applied.length / sent.length };
}

describe('a gateway that refuses at once', () => {
	it.each(Object.entries(limits))('%s', async (_, row) => {
		for (const seed of SEEDS) {
			const { ms, refused } = await through(row, seed);
			expect(ms / row.leastMs).toBeLessThanOrEqual(row.times);
			expect(refused).toBeLessThanOrEqual(row.refused);
		}
	});

	it('at random does not slow 10,000 updates down further and further', async () => {
		const row = { make: (random: () => number) => byChance(0.1, random), updates: 10_000 };
		for (const seed of SEEDS) {
			const { ms } = await through({ ...row, leastMs: 0, times: 0, refused: 0 }, seed);
			expect(ms).toBeLessThan(30_000);
		}
	});

	it('counts what was accepted before its refusals came', async () => {
		// Answers take 400 ms: 40 are on their way at a time.
		const row = { make: () => leakyBucket(PER_SECOND, 10, 10), latencyMs: 400 };
		for (const seed of SEEDS) {
			const { ms } = await through({ ...row, leastMs: 0, times: 0, refused: 0 }, seed);
			expect(ms / bucketMs(11)).toBeLessThan(2.5);
		}
	});
});

describe('four workers that share a limit and know nothing of each other', () => {
	it.each([
		['names no pause', undefined],
		['names a pause', 1_000],
	])('are through in less than twice the time where it %s', async (_, retryAfterMs) => {
		const [clock, random] = [new SimulatedClock(), repeatable(7)];
		const answers = tokenBucket(PER_SECOND, 20, retryAfterMs);
		const workers = Array.from({ length: 4 }, () =>
			simulate(
				answers,
				() => 10,
				random,
				() => 1,
				clock,
			),
		);
		const items = workers.flatMap((worker) => {
			const ticket = { run: new Stop(), max: 20, kind: 'update' };
			return Array.from({ length: UPDATES }, async (_, item) => await worker.send(item, ticket));
		});
		await clock.run(Promise.all(items));
		const sent = workers.flatMap((worker) => worker.sent);
		const refused = sent.filter(({ status }) => status !== 200).length;
		expect(clock.now()).toBeLessThan((2 * 1_000 * 4 * UPDATES) / PER_SECOND);
		expect(refused / sent.length).toBeLessThan(0.15);
	});
});
