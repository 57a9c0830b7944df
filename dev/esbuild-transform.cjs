const { pathToFileURL } = require('node:url');
const { transformSync } = require('esbuild');

/** Compiles TypeScript for Jest's own runner, which has no modules of ECMAScript. */
module.exports = {
	process: (source, path) =>
		transformSync(source, {
			loader: 'ts',
			format: 'cjs',
			sourcefile: path,
			sourcemap: 'inline',
			define: { 'import.meta.url': JSON.stringify(pathToFileURL(path).href) },
		}),
};
