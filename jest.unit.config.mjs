import { common } from './jest.config.mjs';

/** Pure logic only, in seconds. */
export default {
	...common,
	testMatch: ['<rootDir>/test/unit/**/*.test.ts'],
	// These look at files of the project, not at logic.
	testPathIgnorePatterns: ['documents', 'examples', 'pictures'].map(
		(name) => `<rootDir>/test/unit/${name}\\.test\\.ts$`,
	),
};
