import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../../n8n/paths.mts';
import type { Contract } from './public-contract.mts';

/** Where the public contract is checked in. */
export const CONTRACT_FILE = join(PROJECT_FOLDER, 'test/contract/public-contract.json');

const WIDTH = 120;

/** The public contract that is checked in. */
export function checkedInContract(): Contract {
	return JSON.parse(readFileSync(CONTRACT_FILE, 'utf8')) as Contract;
}

/** The text of a contract as it is checked in: what fits stands on one line, so that a change shows as one line. */
export function contractText(contract: Contract): string {
	return `${textOf(contract, '')}\n`;
}

function textOf(value: unknown, indent: string): string {
	const line = JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
	if (typeof value !== 'object' || value === null || indent.length + line.length <= WIDTH)
		return line;
	const inner = `${indent}\t`;
	const [open, close] = Array.isArray(value) ? '[]' : '{}';
	const lines = Object.entries(value).map(([key, each]) => {
		const name = Array.isArray(value) ? '' : `${JSON.stringify(key)}: `;
		return `${inner}${name}${textOf(each, inner)}`;
	});
	return [open, lines.join(',\n'), indent + close].join('\n');
}
