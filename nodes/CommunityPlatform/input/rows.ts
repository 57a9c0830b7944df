import { isMap, objectLike } from './values';

/**
 * The rows of a list in the editor.
 *
 * @param key under which n8n keeps them
 * @param example of the whole value, shown when it is something else
 */
export function rowsOf(value: unknown, label: string, key: string, example: string): unknown[] {
	const rows = objectLike(example)(value, label)[key] ?? [];
	return Array.isArray(rows) ? (rows as unknown[]) : [rows];
}

/** A cell of a row; a row that is a bare value is its only cell. */
export function cellOf(row: unknown, name: string): unknown {
	return isMap(row) ? row[name] : row;
}
