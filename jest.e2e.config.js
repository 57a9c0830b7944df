const {
	modulePathIgnorePatterns,
	moduleFileExtensions,
	transform,
	transformIgnorePatterns,
} = require('./jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
	roots: ['<rootDir>/test/e2e'],
	testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
	modulePathIgnorePatterns,
	moduleFileExtensions,
	transform,
	transformIgnorePatterns,
	globalSetup: '<rootDir>/test/e2e/support/global-setup.ts',
	globalTeardown: '<rootDir>/test/e2e/support/global-teardown.ts',
	// Each has an n8n of its own, a browser and a community: of memory, two need some 4 GB.
	maxWorkers: 2,
	testTimeout: 60_000,
};
