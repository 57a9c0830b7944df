/**
 * The names that are likeliest to be meant: those that one is part of the other first, then those with the
 * fewest letters to change.
 *
 * @param name what was typed
 * @param names what there is
 * @param most how many to give
 */
export function nearest(name: string, names: string[], most: number): string[] {
	const typed = name.toLowerCase();
	const rated = [...new Set(names)].map((each) => {
		const there = each.toLowerCase();
		const isPart = there.includes(typed) || typed.includes(there);
		return { each, changes: isPart ? 0 : changesBetween(typed, there) };
	});
	rated.sort((a, b) => a.changes - b.changes || a.each.localeCompare(b.each));
	return rated.slice(0, most).map(({ each }) => each);
}

/** Letters to add, take away or replace to make one text the other (Levenshtein's distance). */
function changesBetween(a: string, b: string): number {
	let row = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const replaced = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
			next.push(Math.min(replaced, row[j] + 1, next[j - 1] + 1));
		}
		row = next;
	}
	return row[b.length];
}
