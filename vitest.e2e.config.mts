import { defineConfig } from 'vitest/config';
import { common } from './vitest.config.mts';

/** The tests in a whole n8n and a browser. */
export default defineConfig({
	...common,
	test: {
		...common.test,
		include: ['test/e2e/**/*.test.ts'],
		globalSetup: 'test/e2e/support/global-setup.ts',
		// Each has an n8n of its own, a browser and a community: of memory, two need some 4 GB.
		maxWorkers: 2,
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
});
