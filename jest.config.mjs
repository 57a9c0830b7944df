import { availableParallelism } from 'node:os';
// Here for what Jest itself loads, below for the processes that run the tests.
import 'tsx';

process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import tsx`;

const common = {
	// Plain Node processes that share what they have loaded. Jest's own runner would load n8n-core for each file,
	// which takes a second.
	runner: '<rootDir>/test/support/jest-runner.mjs',
	transform: {},
	moduleFileExtensions: ['ts', 'mts', 'mjs', 'js', 'json'],
	setupFilesAfterEnv: ['<rootDir>/test/support/seed.mts', '<rootDir>/test/support/jest-setup.mts'],
	// A change in these runs tests again with --watchAll.
	roots: ['credentials', 'nodes', 'dev', 'sandbox', 'test'].map((folder) => `<rootDir>/${folder}`),
};

/** The tests that need neither a whole n8n nor a browser. */
const tests = {
	...common,
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	// Prism takes seconds to load, so it runs every night.
	testPathIgnorePatterns: [
		'/test/e2e/',
		...(process.env.PRISM_SEEDS ? [] : ['/prism\\.test\\.']),
		// Not all stories end well yet: `npm run simulation`.
		...(process.env.SIMULATION ? [] : ['/test/simulation/']),
	],
	testSequencer: '<rootDir>/test/support/sequencer.mjs',
	// Many tests wait for what takes its time.
	maxWorkers: Math.ceil(1.5 * availableParallelism()),
};

/** The tests in a whole n8n and a browser: `npm run test:e2e`. */
const endToEnd = {
	...common,
	testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
	globalSetup: '<rootDir>/test/e2e/support/global-setup.mts',
	// Each worker has an n8n and a browser: of memory, two need some 4 GB.
	maxWorkers: 2,
};

const isEndToEnd = process.env.TEST_E2E === 'true';
if (isEndToEnd) process.env.TEST_TIMEOUT_MS = '240000';

export default isEndToEnd ? endToEnd : tests;
