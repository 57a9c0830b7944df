/** Rules for imports, checked by `npm run lint`. */
/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		{
			name: 'no-circles',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { circular: true },
		},
		{
			name: 'shared-knows-no-node',
			comment: 'What all nodes share must not depend on one of them.',
			severity: 'error',
			from: { path: '^nodes/shared/' },
			to: { path: '^nodes/(?!shared/)' },
		},
		{
			name: 'nodes-know-no-other-node',
			severity: 'error',
			from: { path: '^nodes/(CommunityPlatform\\w*)/' },
			to: { path: '^nodes/CommunityPlatform', pathNot: '^nodes/$1/' },
		},
		{
			name: 'only-what-n8n-allows',
			comment: 'n8n verifies no package that loads anything else at run time.',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: {
				pathNot:
					'^(nodes|credentials|package\\.json$)|(^|/)(n8n-workflow|lodash|luxon|zod|@types)/|^crypto$',
				dependencyTypesNot: ['type-only'],
			},
		},
		{
			name: 'not-beyond-what-is-shipped',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { path: '^(dev|sandbox|test)/' },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		tsConfig: { fileName: 'tsconfig.json' },
		tsPreCompilationDeps: true,
	},
};
