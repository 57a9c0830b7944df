import { createRequire } from 'node:module';
import { configDefaults, defineConfig } from 'vitest/config';

/** The unit tests as Stryker runs them; everything else runs in Jest (CONTRIBUTING, "Commands"). */
export default defineConfig({
	// The CommonJS build, so that the nodes and the tests get the same n8n-workflow.
	resolve: { alias: { 'n8n-workflow': createRequire(import.meta.url).resolve('n8n-workflow') } },
	test: {
		globals: true,
		pool: 'forks',
		isolate: false,
		setupFiles: ['test/support/seed.mts', 'test/support/jest-in-vitest.mts'],
		include: ['test/unit/**/*.test.ts'],
		// The second one reads regular expressions out of the files that Stryker has changed.
		exclude: [...configDefaults.exclude, 'test/unit/{examples,linear-time}.test.ts'],
		testTimeout: 30_000,
	},
});
