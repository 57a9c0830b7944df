import { writeFile } from 'node:fs/promises';
import { lineChart } from './chart.mts';
import type { Answers, Simulation } from './simulation.mts';
import { repeatable, sendAll, simulate, tokenBucket } from './simulation.mts';

const UPDATES = 5_000;
const AT_ONCE = 20;
const LATENCY_MS = 10;
const PER_SECOND = 100;
const STEP_MS = 1_000;

/**
 * Draws, from simulated time, how 5,000 updates get through an API that allows 100 requests a second
 * and refuses more with "Retry-After: 1". The random numbers repeat, so that the picture stays the same.
 */
const cases: Array<{ label: string; answers: Answers }> = [
	{ label: '10 at once after a rest', answers: tokenBucket(PER_SECOND, 10, 1_000) },
	{ label: '100 at once after a rest', answers: tokenBucket(PER_SECOND, 100, 1_000) },
];

const lines = [];
for (const { label, answers } of cases) {
	const simulation = simulate(answers, () => LATENCY_MS, repeatable());
	await sendAll(simulation, UPDATES, AT_ONCE);
	lines.push({ label, points: perSecond(simulation) });
	const refused = simulation.sent.filter(({ status }) => status !== 200).length;
	const seconds = simulation.clock.now() / 1000;
	console.log(`${label}: ${seconds.toFixed(1)} s, ${refused} of ${simulation.sent.length} refused`);
}
await writeFile(
	new URL('../../docs/limiter.svg', import.meta.url),
	await lineChart(
		'5,000 updates within a limit of 100 requests a second',
		{ x: 'seconds', y: 'updates applied per second' },
		lines,
	),
);

function perSecond({ sent, clock }: Simulation): Array<[number, number]> {
	const counts = new Array<number>(Math.floor(clock.now() / STEP_MS)).fill(0);
	for (const { at, status } of sent) {
		const step = Math.floor(at / STEP_MS);
		if (status === 200 && step < counts.length) counts[step]++;
	}
	return counts.map((count, step) => [step, (count * 1000) / STEP_MS]);
}
