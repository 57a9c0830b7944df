import { createRequire } from 'node:module';

// Jest's own, which comes with it.
const fromJest = createRequire(import.meta.resolve('jest'));
const { default: Sequencer } = fromJest('@jest/test-sequencer');

// Each takes seconds, which nothing fills if it begins last. Without the times of an earlier run, as on a clean clone,
// Jest would begin with the largest files.
const SLOW = /(start|prism|people|polling-changed|polling-stories|linear-time|batch)\.test\.ts$/;

/** Begins with the slowest test files. */
export default class SlowestFirst extends Sequencer {
	sort(tests) {
		const isSlow = ({ path }) => SLOW.test(path);
		const sorted = super.sort(tests);
		return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))];
	}
}
