import type { Result } from './measure.mts';

/** The ratio that a measurement must reach. */
interface Floor {
	/** Name of the case, and of the peer that ours is compared with. */
	of: string;
	peer: string;
	/** The peer's time divided by ours: the higher, the faster the package is. About half of what is in results.json. */
	ratio: number;
}

// Ratios, because both run on the same machine; its seconds say nothing about the code.
const FLOORS: Floor[] = [
	{ of: 'List 1,800 members, 20 ms per page', peer: 'HTTP Request', ratio: 4 },
	{ of: 'List 1,800 members, 100 ms per page', peer: 'HTTP Request', ratio: 7 },
	{ of: 'List 1,800 members for the first time, 20 ms per page', peer: 'HTTP Request', ratio: 3 },
	{ of: 'Update 500 roles', peer: 'HTTP Request', ratio: 0.6 },
	{ of: 'Update 5,000 roles', peer: 'HTTP Request', ratio: 0.6 },
	{ of: 'Update 500 roles, 100 ms per answer', peer: 'axios, 20 at once', ratio: 1 },
	{
		of: 'Update 500 roles, at most 100 a second and 10 at once',
		peer: 'axios and axios-retry, 20 at once',
		ratio: 0.8,
	},
	{ of: 'Answer 200 deliveries', peer: 'Webhook 1, secret', ratio: 0.6 },
];

/**
 * Compares measurements with what they must reach.
 *
 * @param results as in results.json; the first peer of each case is ours
 * @returns a line for each ratio that is below its floor or was not measured, and for each run of ours that failed
 */
export function belowFloor(results: Result[]): string[] {
	const slow = FLOORS.flatMap(({ of, peer, ratio }) => {
		const peers = results.find(({ name }) => name === of)?.peers ?? {};
		const [ours] = Object.values(peers);
		const measured = (peers[peer]?.median ?? NaN) / ours?.median;
		return measured >= ratio ? [] : [`${of}: ${measured.toFixed(2)}, not ${ratio}, times ${peer}`];
	});
	const failed = results
		.filter(({ peers }) => Object.values(peers)[0].failedRuns > 0)
		.map(({ name }) => `${name}: a run of ours failed`);
	return [...slow, ...failed];
}
