import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { breakingDifferences } from './contract/contract-differences.mts';
import { checkedInContract, CONTRACT_FILE, contractText } from './contract/contract-file.mts';
import { loadParts } from './contract/parts.mts';
import { contractOf } from './contract/public-contract.mts';

const { values } = parseArgs({
	options: { check: { type: 'boolean' }, breaking: { type: 'boolean' } },
});

if (values.check) await check();
else await write();

/** That what was built is what is checked in. */
async function check(): Promise<void> {
	const built = contractOf(await loadParts('build'));
	if (contractText(built) === contractText(checkedInContract())) {
		return console.log('The build keeps the public contract.');
	}
	const breaking = breakingDifferences(checkedInContract(), built);
	fail(
		'The build differs from the checked-in contract. Unless something is listed here, "npm run contract" adds what is new.',
		breaking,
	);
}

/** Refuses what breaks saved workflows, or else nobody would notice any more. */
async function write(): Promise<void> {
	const contract = contractOf(await loadParts('sources'));
	const breaking = existsSync(CONTRACT_FILE)
		? breakingDifferences(checkedInContract(), contract)
		: [];
	if (breaking.length > 0 && !values.breaking) {
		fail(
			'Saved workflows would break. Raise the version of the node (CONTRIBUTING.md), or, until the first release only, use "npm run contract -- --breaking".',
			breaking,
		);
		return;
	}
	await writeFile(CONTRACT_FILE, contractText(contract));
	console.log(['The contract is written.', ...breaking].join('\n- '));
}

function fail(why: string, breaking: string[]): void {
	console.error([why, ...breaking].join('\n- '));
	process.exitCode = 1;
}
