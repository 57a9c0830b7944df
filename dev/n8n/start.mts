import { parseArgs } from 'node:util';
import { requireNode } from './requirements.mts';

// First, because an older Node fails to load the rest without a clear message.
try {
	requireNode();
	const flag = { type: 'boolean', default: false } as const;
	const { values } = parseArgs({ options: { exit: flag, quick: flag, watch: flag } });
	const findings = values.watch ? [] : await firstResult();
	if (findings.length > 0) throw new Error(findings.join('\n'));
	if (!values.quick) {
		console.log('Next, the same in a whole n8n. The first time, this installs it.\n');
		const { runDemo } = await import('./demo.mts');
		process.exitCode = await runDemo({ stay: !values.exit, watch: values.watch });
	}
} catch (error) {
	console.error(`\n${(error as Error).message}`);
	process.exitCode = 1;
}
async function firstResult(): Promise<string[]> {
	const { showFirstResult } = await import('./first-result.mts');
	const findings = await showFirstResult();
	console.log(`The first result came after ${process.uptime().toFixed(1)} s.`);
	return findings;
}

// Open handles would keep the process from ending.
process.exit();
