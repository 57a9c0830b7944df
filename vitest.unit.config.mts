import { configDefaults, defineConfig } from 'vitest/config';
import { common } from './vitest.config.mts';

/** Pure logic only, in seconds; what mutants are tried with. */
export default defineConfig({
	...common,
	test: {
		...common.test,
		include: ['test/unit/**/*.test.ts'],
		// These look at files of the project, not at logic.
		exclude: [...configDefaults.exclude, 'test/unit/{documents,examples,pictures}.test.ts'],
		isolate: false,
	},
});
