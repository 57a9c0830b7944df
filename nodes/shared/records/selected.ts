import type { RecordType } from './types';

/** Every field that a record can be cut down to: those documented, and the names of its codes. */
export function selectableFields({ fields, simplified = [] }: RecordType): string[] {
	return [...fields, ...simplified.filter((field) => !fields.includes(field))];
}

/**
 * What is left of a record that is cut down to some fields: these, behind the one by which operations know
 * it. n8n wants a record's ID to be always there (UX guidelines, "AI tool nodes: 'Output' parameter").
 *
 * @param chosen of those that can be selected, in any order
 */
export function withIdentifier({ idField, simplified }: RecordType, chosen: string[]): string[] {
	// The simplified form begins with it: for a user that is the msid, not the user_id.
	const [identifier] = simplified ?? [idField];
	return [...new Set([identifier, ...chosen])];
}
