import type { RecordType } from './types';

/** Every field that can be selected: the documented ones, and the names of codes. */
export function selectableFields({ fields, simplified = [] }: RecordType): string[] {
	return [...fields, ...simplified.filter((field) => !fields.includes(field))];
}

/**
 * The fields of a record when some were selected: its identifier first. n8n asks for a record's ID to be always there (UX guidelines, "AI tool nodes: 'Output' parameter").
 *
 * @param chosen selectable fields, in any order
 */
export function withIdentifier({ idField, simplified }: RecordType, chosen: string[]): string[] {
	// The simplified form begins with it: for a user that is the msid, not the user_id.
	const [identifier] = simplified ?? [idField];
	return [...new Set([identifier, ...chosen])];
}
