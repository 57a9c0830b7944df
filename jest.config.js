/** @type {import('jest').Config} */
module.exports = {
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	// These need an n8n and a browser: jest.e2e.config.js.
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/n8n/node_modules/', '<rootDir>/.demo/'],
	moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'node'],
	transform: {
		'^.+\\.m?ts$': [
			'@swc/jest',
			{ jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
		],
	},
	setupFiles: ['<rootDir>/test/support/seed.mts'],
	testTimeout: 30_000,
};
