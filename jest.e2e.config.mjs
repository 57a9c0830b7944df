import { common } from './jest.config.mjs';

process.env.TEST_TIMEOUT_MS = '60000';

/** The tests in a whole n8n and a browser. */
export default {
	...common,
	testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
	globalSetup: '<rootDir>/test/e2e/support/global-setup.mts',
	globalTeardown: '<rootDir>/test/e2e/support/global-teardown.mts',
	// Each has an n8n of its own, a browser and a community: of memory, two need some 4 GB.
	maxWorkers: 2,
};
