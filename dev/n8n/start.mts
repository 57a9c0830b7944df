import { parseArgs } from 'node:util';
import { requireNode } from './requirements.mts';

// On an older Node the rest cannot be loaded, without a message why.
try {
	requireNode();
	const flag = { type: 'boolean', default: false } as const;
	const { values } = parseArgs({ options: { exit: flag, watch: flag } });
	const { runDemo } = await import('./demo.mts');
	process.exitCode = await runDemo({ stay: !values.exit, watch: values.watch });
} catch (error) {
	console.error(`\n${(error as Error).message}`);
	process.exitCode = 1;
}
// Open handles would keep the process from ending.
process.exit();
