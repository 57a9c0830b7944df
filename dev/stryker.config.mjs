/** Checks whether the unit tests detect changes in the logic (`npm run test:mutation`). */
export default {
	mutate: [
		'nodes/shared/transport/{advice,answer,connection,retry}.ts',
		'nodes/shared/{names,pagination}.ts',
		'nodes/shared/limiter/{queue,concurrency,rate,lock,cancel}.ts',
		'nodes/CommunityPlatform/input/{given,identifiers,values}.ts',
		'nodes/CommunityPlatformTrigger/{allowlist,deduplicate}.ts',
	],
	testRunner: 'jest',
	jest: { configFile: 'dev/jest.mutation.config.mjs' },
	coverageAnalysis: 'perTest',
	ignoreStatic: true,
	concurrency: 2,
	reporters: ['clear-text', 'progress-append-only', 'json'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	jsonReporter: { fileName: '.reports/mutation.json' },
	tempDirName: '.reports/stryker',
	cleanTempDir: 'always',
	thresholds: { high: 90, low: 90, break: 90 },
	ignorePatterns: ['dist', 'dev/n8n/node_modules', '.versions', '.demo', '.reports'],
};
