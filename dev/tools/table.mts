import Table from 'cli-table3';

/**
 * Sets rows in columns, for a terminal.
 *
 * @param head the columns' titles
 * @param rows as many cells each; numbers are set to the right
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
