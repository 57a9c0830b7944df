const base = require('./jest.config.js');

// Both are CommonJS modules, so the nodes, the tests and n8n-core itself get one and the same n8n-workflow.
const installed = (name) => require.resolve(name, { paths: [process.env.N8N_ENGINE_FOLDER] });

/** For scripts/versions.mts, which says in N8N_ENGINE_FOLDER where an older n8n-core lies. */
/** @type {import('jest').Config} */
module.exports = {
	...base,
	testMatch: ['<rootDir>/test/engine/**/*.test.ts'],
	moduleNameMapper: {
		'^n8n-core$': installed('n8n-core'),
		'^n8n-workflow$': installed('n8n-workflow'),
	},
	// Older engines look after SSH connections for ever, also where there are none.
	forceExit: true,
};
