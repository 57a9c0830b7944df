const base = require('./jest.config.js');

/** Pure logic only, in seconds; what mutants are tried with. */
/** @type {import('jest').Config} */
module.exports = {
	...base,
	testMatch: ['<rootDir>/test/unit/**/*.test.ts'],
	// These look at files of the project, not at logic.
	testPathIgnorePatterns: [
		...base.testPathIgnorePatterns,
		'unit/(documents|examples|pictures)\\.test',
	],
};
