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
	// All files share one n8n.
	maxWorkers: 1,
	testTimeout: 60_000,
};
