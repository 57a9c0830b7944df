import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runDemo } from '../n8n/demo.mts';
import { type Installation, installationIn, PINNED, PROJECT_FOLDER } from '../n8n/paths.mts';
import { ENGINES, NEWEST, NODES } from './engines.mts';

// Runs the demo on a whole n8n, usually an older one. It loads the packed package, tests its credential, updates
// members' roles, and welcomes members by a delivery and by polling. Argument: a version of n8n (default: OLDER).
const OLDER = '2.8.4';

const n8n = process.argv[2] ?? OLDER;
if (!ENGINES.some((engine) => engine.n8n === n8n)) {
	throw new Error(`n8n ${n8n} is not among the versions of scripts/engines.mts`);
}
const installation = n8n === NEWEST.n8n ? PINNED : await olderInstallation();
const code = await runDemo({ stay: false, installation }).catch((error: Error) => {
	console.error(error.message);
	return 1;
});
// Open handles would keep the process from ending.
process.exit(code);

async function olderInstallation(): Promise<Installation> {
	const folder = join(PROJECT_FOLDER, '.versions', `n8n-${n8n}`);
	const manifest = {
		private: true,
		dependencies: {
			n8n,
			node: NODES[22],
			// Sentry needs it, and npm installs a much older version for it unless the manifest names one.
			'@opentelemetry/core': '2.10.0',
		},
		overrides: {
			// As in n8n/package.json.
			linkedom: '0.18.12',
			'msgpackr-extract': '3.0.3',
			// Later versions require a newer @langchain/core than n8n 2.8 contains, so that n8n does not start.
			'@langchain/langgraph': '1.0.7',
			'@langchain/langgraph-checkpoint': '1.0.0',
			// n8n 2.8 downloads it from n8n's server. This is the same file on npm.
			xlsx: 'npm:@e965/xlsx@0.20.3',
		},
	};
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
	await copyFile(join(PROJECT_FOLDER, '.npmrc'), join(folder, '.npmrc'));
	return installationIn(folder);
}
