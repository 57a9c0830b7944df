import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../../n8n/paths.mts';
import type { PublicContract } from './public-contract.mts';

/** Where the public contract is checked in. */
export const CONTRACT_FILE = join(PROJECT_FOLDER, 'test/contract/public-contract.json');

const WIDTH = 100;

/** The public contract that is checked in. */
export function checkedInContract(): PublicContract {
	return JSON.parse(readFileSync(CONTRACT_FILE, 'utf8')) as PublicContract;
}

/**
 * The text of a contract as it is checked in: in the order of the description, short lists on one line, so that
 * a change of one thing is a change of one line.
 */
export function contractText(contract: PublicContract): string {
	const text = JSON.stringify(contract, null, '\t');
	return `${text.replace(/\[\s+([^[\]{}]*?)\s+\]/g, onOneLine)}\n`;
}

function onOneLine(list: string, inner: string): string {
	const line = `[${inner.replace(/\n\s*/g, ' ')}]`;
	return line.length > WIDTH ? list : line;
}
