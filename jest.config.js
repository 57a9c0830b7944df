const { availableParallelism } = require('node:os');

// Libraries that are ES modules only, which cannot be required before Node 22, and what Execa needs in turn:
// they are compiled as our own files are.
const ES_MODULES = [
	'get-port',
	'p-map',
	'p-timeout',
	'p-wait-for',
	'execa',
	'get-stream',
	'human-signals',
	'is-stream',
	'mimic-fn',
	'npm-run-path',
	'onetime',
	'path-key',
	'strip-final-newline',
];

/** @type {import('jest').Config} */
module.exports = {
	// Not all of the project, which holds an installed n8n: its files would be looked through for tests, too.
	roots: ['<rootDir>/test'],
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	// These need an n8n and a browser: jest.e2e.config.js.
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/n8n/node_modules/', '<rootDir>/.demo/'],
	moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'node'],
	transform: {
		'^.+\\.(m?ts|js)$': [
			'@swc/jest',
			{ jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
		],
	},
	transformIgnorePatterns: [`/node_modules/(?!(${ES_MODULES.join('|')})/)`],
	setupFiles: ['<rootDir>/test/support/seed.mts'],
	// Jest leaves a processor to others, of two that is half; and many tests wait for what takes its time.
	maxWorkers: Math.ceil(1.5 * availableParallelism()),
	// Each file loads n8n-core anew, and Jest does not let go of all of it: with a full memory, everything takes
	// several times as long.
	workerIdleMemoryLimit: '500MB',
	testTimeout: 30_000,
};
