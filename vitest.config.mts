import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config';

// Older engines lie in a folder of their own: scripts/versions.mts names it.
const folder = process.env.N8N_ENGINE_FOLDER ?? import.meta.dirname;
const { resolve } = createRequire(join(folder, 'package.json'));

// The CommonJS builds, so that the nodes, the tests and n8n-core itself get one and the same n8n-workflow.
const ENGINE = ['n8n-core', 'n8n-workflow'].map((name) => ({
	find: new RegExp(`^${name}$`),
	replacement: resolve(name),
}));

// What n8n reads from its surroundings when it is loaded is different for these.
const ALONE = ['test/engine/inside-network.test.ts'];

/** What every run of the tests has in common. */
export const common = {
	resolve: { alias: ENGINE },
	test: {
		globals: true,
		pool: 'forks',
		setupFiles: ['test/support/seed.mts'],
		// A page that differs in one line is not shown as a whole.
		diff: { expand: false, contextLines: 3 },
		testTimeout: 30_000,
		hookTimeout: 30_000,
	},
} as const satisfies ViteUserConfig;

/** The tests that need neither a whole n8n nor a browser; those do: vitest.e2e.config.mts. */
export default defineConfig({
	...common,
	test: {
		...common.test,
		// Many tests wait for what takes its time.
		maxWorkers: Math.ceil(1.5 * availableParallelism()),
		projects: [
			{
				extends: true,
				test: {
					name: 'together',
					include: ['test/**/*.test.ts'],
					exclude: [...configDefaults.exclude, 'test/e2e/**', ...ALONE],
					// Files after one another share a process and what it has loaded: of n8n-core, that takes half a second.
					isolate: false,
				},
			},
			{ extends: true, test: { name: 'alone', include: ALONE } },
		],
	},
});
