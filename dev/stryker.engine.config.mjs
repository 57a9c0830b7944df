import logic from './stryker.config.mjs';

/** The same for what only the tests through n8n's engine reach: `npm run test:mutation:engine`. */
export default {
	...logic,
	mutate: [
		'nodes/CommunityPlatform/execute/{hints,plan}.ts',
		'nodes/CommunityPlatform/execute/strategies/*.ts',
		'nodes/CommunityPlatform/input/{given,readInput}.ts',
		'nodes/CommunityPlatformPollingTrigger/cursor.ts',
		'nodes/CommunityPlatformTrigger/verify.ts',
	],
	vitest: { configFile: 'dev/vitest.engine.config.mts' },
	jsonReporter: { fileName: '.reports/mutation-engine.json' },
};
