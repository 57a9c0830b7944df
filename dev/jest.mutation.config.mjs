/** The tests for Stryker, whose runner needs Jest's own runner. That one compiles each file separately. */
export default {
	rootDir: '..',
	testMatch: ['<rootDir>/test/unit/**/*.test.ts'],
	// The second one reads the regular expressions in the sources, and Stryker changes these.
	testPathIgnorePatterns: ['<rootDir>/test/unit/(examples|linear-time).test.ts'],
	transform: { '\\.m?ts$': '<rootDir>/dev/esbuild-transform.cjs' },
	moduleFileExtensions: ['ts', 'mts', 'mjs', 'js', 'json'],
	setupFilesAfterEnv: ['<rootDir>/test/support/seed.mts', '<rootDir>/test/support/jest-setup.mts'],
	testTimeout: 30_000,
	roots: ['<rootDir>/nodes', '<rootDir>/test', '<rootDir>/dev', '<rootDir>/sandbox'],
};
