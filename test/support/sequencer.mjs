import { createRequire } from 'node:module';

// Jest's default sequencer.
const fromJest = createRequire(import.meta.resolve('jest'));
const { default: Sequencer } = fromJest('@jest/test-sequencer');

// Each takes seconds, in which other workers are idle if it starts last. Without times of an earlier run, as in a fresh
// clone, Jest would start with the largest files.
const SLOW =
	/(members-found|members-remembered|polling-changed|polling-stories|limiter-gateways|batch)\.test\.ts$/;

/** Starts with the slowest test files. */
export default class SlowestFirst extends Sequencer {
	sort(tests) {
		const isSlow = ({ path }) => SLOW.test(path);
		const sorted = super.sort(tests);
		return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))];
	}
}
