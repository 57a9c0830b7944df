import type { IDataObject } from 'n8n-workflow';
import { Failure, shortened } from '../../../shared/failure';
import { normalized } from '../../../shared/text';

/**
 * Returns the name to send so that a tag keeps its name: `display_name`, if `name` can be derived from it. The API does
 * not document how it derives the name, but letters and digits stay (docs/decisions.md, A13).
 *
 * @throws Failure if `name` does not come from `display_name`
 */
export function nameToSend({ name, display_name: displayName }: IDataObject): unknown {
	if (typeof name !== 'string' || typeof displayName !== 'string' || displayName === '')
		return name;
	if (isDerived(name, displayName)) return displayName;
	throw new Failure(
		`The node cannot tell which name to keep, because the tag is stored as '${shortened(name)}' but displayed as '${shortened(displayName)}'`,
		"Add 'Name' under 'Update Fields' and enter the name you want.",
	);
}

function isDerived(name: string, displayName: string): boolean {
	const letters = lettersOf(name);
	if (letters === '') return withoutSpace(name) === withoutSpace(displayName);
	return lettersOf(displayName) === letters;
}

// Drops accents, because an API may do the same and make "Cafe" of "Café".
function lettersOf(text: string): string {
	const letters = normalized(text, 'NFD').replace(/[^\p{L}\p{N}]/gu, '');
	return normalized(letters, 'NFKD').toLowerCase();
}

function withoutSpace(text: string): string {
	return text.toLowerCase().replace(/[\s#]/g, '');
}
