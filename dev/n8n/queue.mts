import { parseArgs } from 'node:util';
import { demand, missingNodeVersion } from './requirements.mts';

// On an older Node the rest cannot be loaded, without a message why.
try {
	demand(missingNodeVersion());
	const { values } = parseArgs({
		options: {
			updates: { type: 'string', default: '2000' },
			deliveries: { type: 'string', default: '500' },
			write: { type: 'boolean', default: false },
		},
	});
	const { showQueueMode } = await import('./queue/run.mts');
	const amounts = { updates: Number(values.updates), deliveries: Number(values.deliveries) };
	process.exitCode = await showQueueMode(amounts, { write: values.write });
} catch (error) {
	console.error(`\n${(error as Error).message}`);
	process.exitCode = 1;
}
// Open handles would keep the process from ending.
process.exit();
