import type { IDataObject } from 'n8n-workflow';
import { Failure, shortened } from '../../../shared/failure';
import { normalized } from '../../../shared/text';

/**
 * The name to send so that a tag keeps its name: `display_name`, if `name` can be derived from it. How the API derives
 * it is not documented, but letters and digits stay (docs/decisions.md, A13).
 *
 * @throws Failure when name does not come from display_name
 */
export function nameToSend({ name, display_name: displayName }: IDataObject): unknown {
	if (typeof name !== 'string' || typeof displayName !== 'string' || displayName === '')
		return name;
	if (isDerived(name, displayName)) return displayName;
	throw new Failure(
		`It is not clear what to send as the tag's name: it is stored as "${shortened(name)}" and shown as "${shortened(displayName)}"`,
		"Give the tag a 'Name' under 'Update Fields': the API makes both from it.",
	);
}

function isDerived(name: string, displayName: string): boolean {
	const letters = lettersOf(name);
	if (letters === '') return withoutSpace(name) === withoutSpace(displayName);
	return lettersOf(displayName) === letters;
}

// Without accents, because an API may drop them: "Café" then becomes "Cafe".
function lettersOf(text: string): string {
	const letters = normalized(text, 'NFD').replace(/[^\p{L}\p{N}]/gu, '');
	return normalized(letters, 'NFKD').toLowerCase();
}

function withoutSpace(text: string): string {
	return text.toLowerCase().replace(/[\s#]/g, '');
}
