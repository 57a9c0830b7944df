import Table from 'cli-table3';

/**
 * Formats rows in columns, for a terminal.
 *
 * @param head the columns' titles
 * @param rows rows with as many cells. Numbers are right-aligned
 * @returns lines joined by newlines
 */
export function table(head: string[], rows: Array<Array<string | number>>): string {
	const lines = new Table({
		head,
		colAligns: head.map((_, column) => (typeof rows[0]?.[column] === 'number' ? 'right' : 'left')),
		// No colours, which would stay in logs as escape sequences.
		style: { compact: true, head: [], border: [] },
	});
	lines.push(...rows);
	return lines.toString();
}
