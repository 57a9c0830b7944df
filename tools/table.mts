/**
 * Sets rows in columns, for a terminal.
 *
 * @param head the columns' titles
 * @param rows as many cells each; numbers are set to the right
 * @returns lines joined by newlines, indented by two
 */
export function table(head: string[], rows: Array<Array<string | number>>): string {
	const widths = head.map((title, column) =>
		Math.max(title.length, ...rows.map((row) => String(row[column]).length)),
	);
	const line = (cells: Array<string | number>) =>
		cells
			.map((cell, column) =>
				typeof cell === 'number'
					? String(cell).padStart(widths[column])
					: cell.padEnd(widths[column]),
			)
			.join('  ')
			.trimEnd();
	const rule = widths.map((width) => '─'.repeat(width));
	return [head, rule, ...rows].map((cells) => `  ${line(cells)}`).join('\n');
}
