import { parseArgs } from 'node:util';
import { showGateways } from './run.mts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
try {
	process.exitCode = await showGateways(new RegExp(values.only));
} catch (error) {
	console.error(`\n${(error as Error).message}`);
	process.exitCode = 1;
}
// Open handles would keep the process from ending.
process.exit();
