import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { checkedInContract, CONTRACT_FILE, contractText } from './contract/contract-file.mts';
import { breaks, described, differencesOf } from './contract/differences.mts';
import { loadParts } from './contract/parts.mts';
import { contractOf } from './contract/public-contract.mts';

// Writes the public contract from the sources, unless that would certainly break saved workflows: then only with
// --breaking. With --check, compares what is checked in with what was built.
const { values } = parseArgs({
	options: { check: { type: 'boolean' }, breaking: { type: 'boolean' } },
});
const contract = contractOf(await loadParts(values.check ? 'build' : 'sources'));
const differences = existsSync(CONTRACT_FILE) ? differencesOf(checkedInContract(), contract) : [];
const breaking = differences.filter(breaks);

if (values.check) {
	if (differences.length === 0) console.log('The build keeps the public contract.');
	else
		fail('The build differs from the public contract that is checked in', described(differences));
} else if (breaking.length > 0 && !values.breaking) {
	fail(
		'Saved workflows would break. Raise the version of the node (CONTRIBUTING.md), or, until the first release only, use "npm run contract -- --breaking"',
		described(breaking),
	);
} else {
	await writeFile(CONTRACT_FILE, contractText(contract));
	console.log(['The contract is written.', ...described(differences)].join('\n- '));
}

function fail(why: string, lines: string[]): void {
	console.error([`${why}:`, ...lines].join('\n- '));
	process.exitCode = 1;
}
