import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runDemo } from '../n8n/demo.mts';
import { type Installation, installationIn, PINNED, PROJECT_FOLDER } from '../n8n/paths.mts';
import { run } from '../tools/processes.mts';
import { record } from './compatibility.mts';
import { ENGINES, NEWEST, NODES } from './engines.mts';

// Runs the demo on all of an n8n, as a rule an older one: the packed package is loaded, its credential tested,
// members' roles are updated, and members welcomed, by a delivery and by polling. Arguments: a version of n8n,
// else OLDER; --record, to write down that it passed.
const OLDER = '2.8.4';

const { values: chosen, positionals } = parseArgs({
	allowPositionals: true,
	options: { record: { type: 'boolean', default: false } },
});
const [n8n = OLDER] = positionals;
if (!ENGINES.some((engine) => engine.n8n === n8n)) {
	throw new Error(`n8n ${n8n} is not among the versions of scripts/engines.mts`);
}
const installation = n8n === NEWEST.n8n ? PINNED : await olderInstallation();
const code = await runDemo({ stay: false, installation }).catch((error: Error) => {
	console.error(error.message);
	return 1;
});
if (chosen.record) {
	const node = (await run([installation.node, '--version'])).trim().slice('v'.length);
	await record({ n8n, scope: 'whole', node }, code === 0 ? {} : undefined);
}
// Open handles would keep the process from ending.
process.exit(code);

async function olderInstallation(): Promise<Installation> {
	const folder = join(PROJECT_FOLDER, '.versions', `n8n-${n8n}`);
	const manifest = {
		private: true,
		dependencies: {
			n8n,
			node: NODES[22],
			// Sentry looks for it beside itself, where npm puts a far older one unless the manifest names another.
			'@opentelemetry/core': '2.10.0',
		},
		overrides: {
			// As in n8n/package.json.
			linkedom: '0.18.12',
			'msgpackr-extract': '3.0.3',
			// Later ones ask for a newer @langchain/core than n8n 2.8 brings along, which then does not start.
			'@langchain/langgraph': '1.0.7',
			'@langchain/langgraph-checkpoint': '1.0.0',
			// n8n 2.8 takes it from a server of its own; this is the same, on npm.
			xlsx: 'npm:@e965/xlsx@0.20.3',
		},
	};
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
	await copyFile(join(PROJECT_FOLDER, '.npmrc'), join(folder, '.npmrc'));
	return installationIn(folder);
}
