import { parseArgs } from 'node:util';
import { demand, missingNodeVersion } from './requirements.mts';

// On an older Node the rest could not even be loaded, and nobody would learn why.
try {
	demand(missingNodeVersion());
	const { values } = parseArgs({ options: { exit: { type: 'boolean', default: false } } });
	const { runDemo } = await import('./demo.mts');
	process.exitCode = await runDemo({ stay: !values.exit });
} catch (error) {
	console.error(`\n${(error as Error).message}`);
	process.exitCode = 1;
}
// Whatever still holds the process open is of no interest any more.
process.exit();
