import { belowFloor } from '../../bench/floors.mts';
import type { Result } from '../../bench/measure.mts';
import { text } from '../support/shipped.mts';

const { results } = JSON.parse(text('bench/results.json')) as { results: Result[] };

/** The same measurements, all of ours changed. */
function withOurs(change: object): Result[] {
	return results.map((result) => {
		const [[name, ours], ...others] = Object.entries(result.peers);
		return { ...result, peers: { [name]: { ...ours, ...change }, ...Object.fromEntries(others) } };
	});
}

describe('The floors of the benchmark', () => {
	it('hold for what is written', () => {
		expect(belowFloor(results)).toEqual([]);
	});

	it('do not hold for anything that takes minutes', () => {
		expect(belowFloor(withOurs({ median: 600 })).length).toBeGreaterThan(5);
	});

	it('do not hold for a run that failed', () => {
		const findings = belowFloor(withOurs({ failedRuns: 1 }));
		expect(findings).toContain('Update 500 roles: a run of ours failed');
	});

	it('do not hold for what was not measured', () => {
		expect(belowFloor([]).length).toBeGreaterThan(5);
	});
});
