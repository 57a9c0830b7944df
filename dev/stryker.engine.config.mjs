import logic from './stryker.config.mjs';

/** The same for what only the tests through n8n's engine reach: `npm run test:mutation:engine`. */
export default {
	...logic,
	mutate: [
		'nodes/CommunityPlatform/execute/{results,plan}.ts',
		'nodes/CommunityPlatform/execute/strategies/*.ts',
		'nodes/CommunityPlatform/input/readInput.ts',
		'nodes/CommunityPlatformPollingTrigger/cursor.ts',
		'nodes/CommunityPlatformTrigger/verify.ts',
	],
	jest: { configFile: 'dev/jest.mutation.engine.config.mjs' },
	jsonReporter: { fileName: '.reports/mutation-engine.json' },
};
