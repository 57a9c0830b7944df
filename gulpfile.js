const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');
const { dest, parallel, series, src, watch } = require('gulp');

// `npm run dev` has it put straight into the copy of the package that a running n8n has loaded.
const FOLDER = process.env.BUILD_FOLDER ?? 'dist';
// Codex files, output previews and icons are read by n8n from beside the compiled code.
const ASSETS = ['nodes/**/*.json', 'icons/*.svg'];

function clean() {
	return rm(FOLDER, { recursive: true, force: true });
}

function typescript(...options) {
	const compiler = require.resolve('typescript/bin/tsc');
	return spawn(process.execPath, [compiler, '--outDir', FOLDER, ...options], { stdio: 'inherit' });
}

function compile() {
	return typescript();
}

function copyAssets() {
	return src(ASSETS, { base: '.', encoding: false }).pipe(dest(FOLDER));
}

function followCode() {
	return typescript('--watch', '--preserveWatchOutput');
}

function followAssets() {
	return watch(ASSETS, copyAssets);
}

exports.build = series(clean, parallel(compile, copyAssets));
exports.default = exports.build;
/** Compiles at each change, into what was built before. */
exports.follow = parallel(followCode, followAssets);
exports.watch = series(clean, copyAssets, exports.follow);
