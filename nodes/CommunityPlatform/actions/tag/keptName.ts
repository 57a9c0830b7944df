import type { IDataObject } from 'n8n-workflow';
import { Failure, shortened } from '../../../shared/transport';

/**
 * The name to send so that a tag keeps its name: `display_name`, if `name` can be derived from it. How the API derives
 * it is not documented, but letters and digits stay (docs/decisions.md, A13).
 *
 * @throws Failure when name does not come from display_name
 */
export function keptName({ name, display_name: displayName }: IDataObject): unknown {
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
	return [displayName, ...withoutMarks(displayName)].some((text) => lettersOf(text) === letters);
}

// Keeps marks, because vowel signs are marks (\p{Mn}, \p{Mc}); drops variation selectors, which only choose a glyph.
function lettersOf(text: string): string {
	return text
		.replace(/\p{Variation_Selector}|[^\p{L}\p{Mn}\p{Mc}\p{N}]/gu, '')
		.normalize('NFKC')
		.toLowerCase();
}

// An API may drop accents as separate characters: "Café" then becomes "Cafe".
function withoutMarks(text: string): string[] {
	const forms = [text, text.normalize('NFD'), text.normalize('NFKD')];
	return forms.map((form) => form.replace(/\p{M}/gu, ''));
}

function withoutSpace(text: string): string {
	return text.toLowerCase().replace(/[\s#]/g, '');
}
