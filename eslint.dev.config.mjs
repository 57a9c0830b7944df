import js from '@eslint/js';
import { configs as regexp } from 'eslint-plugin-regexp';
import sonarjs from 'eslint-plugin-sonarjs';
import globals from 'globals';
import tseslint from 'typescript-eslint';

// What is not shipped (sandbox, demo, bench, scripts) runs on Node itself, so the run-time rules of
// eslint.config.mjs do not apply to it; ordinary rules do.
export default tseslint.config(
	{
		ignores: [
			'**/node_modules/',
			'dist/',
			'test/**/*.ts',
			'dev/**/*.ts',
			'sandbox/**/*.ts',
			'.demo/',
			'.reports/',
			'.versions/',
			'coverage/',
		],
	},
	{
		files: ['**/*.mts', '**/*.mjs', '**/*.js'],
		extends: [js.configs.recommended, tseslint.configs.recommended],
		languageOptions: { globals: globals.node },
		rules: {
			eqeqeq: 'error',
			'no-await-in-loop': 'off',
			'@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
		},
	},
	// A reader needs no paper, and what people, members and senders write is read in linear time, so that no text blocks n8n.
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		languageOptions: { parser: tseslint.parser },
		plugins: { ...regexp.recommended.plugins, sonarjs },
		rules: {
			'max-lines': ['error', 300],
			'sonarjs/cognitive-complexity': ['error', 15],
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential' }],
		},
	},
	{ files: ['sandbox/page/*.mjs'], languageOptions: { globals: globals.browser } },
	{ files: ['**/*.js'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
