const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');
const { dest, parallel, series, src } = require('gulp');

function clean() {
	return rm('dist', { recursive: true, force: true });
}

function compile() {
	return spawn(process.execPath, [require.resolve('typescript/bin/tsc')], { stdio: 'inherit' });
}

// Codex files, output previews and icons are read by n8n from beside the compiled code.
function copyAssets() {
	return src(['nodes/**/*.json', 'icons/*.svg'], { base: '.', encoding: false }).pipe(dest('dist'));
}

exports.build = series(clean, parallel(compile, copyAssets));
exports.default = exports.build;
