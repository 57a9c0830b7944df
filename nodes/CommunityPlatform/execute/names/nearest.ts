// The number of characters compared: the time grows with its square, and names differ near the beginning.
const MOST_COMPARED = 60;
// Shorter texts are part of almost every name.
const LEAST_PART = 3;
// At most one letter in so many may differ.
const LETTERS_FOR_EACH_CHANGE = 3;

interface Rated {
	/** The name as shown to the user. */
	shown: string;
	isPart: boolean;
	/** The edit distance; where one name is part of the other, the difference in length. */
	changes: number;
}

/**
 * Collects the names nearest to one that was typed, by edit distance (fuzzy search). A name is near when it contains
 * what was typed, when it makes up at least half of what was typed, or when at most one letter in three differs.
 * Names of which one contains the other come first, then those with the fewest letters to change.
 *
 * Comparing one name takes a bounded time, however long the names are.
 */
export class Nearest {
	private readonly start: string;
	private readonly letters: number;
	private readonly found: Rated[] = [];

	/**
	 * @param typed the name, folded as the others are
	 * @param most how many to collect
	 */
	constructor(
		private readonly typed: string,
		private readonly most: number,
	) {
		this.start = typed.slice(0, MOST_COMPARED);
		this.letters = lettersOf(this.start);
	}

	/**
	 * Keeps a name if it is among the nearest so far.
	 *
	 * @param folded the name, folded for the comparison
	 * @param shown the name as it is offered; each is kept once
	 */
	offer(folded: string, shown: string): void {
		const rated = this.rate(folded, shown);
		if (!rated) return;
		const same = this.found.findIndex((each) => each.shown === shown);
		if (same >= 0) {
			if (byNearness(this.found[same], rated) <= 0) return;
			this.found.splice(same, 1);
		}
		const at = this.found.findIndex((each) => byNearness(rated, each) < 0);
		this.found.splice(at < 0 ? this.found.length : at, 0, rated);
		this.found.length = Math.min(this.found.length, this.most);
	}

	/** The nearest names, the nearest first. */
	get names(): string[] {
		return this.found.map(({ shown }) => shown);
	}

	private rate(folded: string, shown: string): Rated | undefined {
		const { typed, start, letters } = this;
		const longer = Math.max(typed.length, folded.length);
		const difference = longer - Math.min(typed.length, folded.length);
		const there = folded.slice(0, MOST_COMPARED);
		const isPart =
			isPartOf(typed, there) || (2 * folded.length >= typed.length && isPartOf(folded, start));
		if (isPart) return { shown, isPart, changes: difference };
		const most = Math.min(
			Math.floor(Math.min(longer, MOST_COMPARED) / LETTERS_FOR_EACH_CHANGE),
			this.mostWorthKeeping(),
		);
		if (difference > most) return undefined;
		// A lower bound: one change removes at most one letter from the set and adds at most one.
		if (bitsIn(letters ^ lettersOf(there)) > 2 * most) return undefined;
		const changes = changesBetween(start, there, most);
		return changes === undefined ? undefined : { shown, isPart, changes };
	}

	// Once the list is full, a further name has to be at least as near as the last of it.
	private mostWorthKeeping(): number {
		if (this.found.length < this.most) return Infinity;
		const { isPart, changes } = this.found[this.found.length - 1];
		return isPart ? -1 : changes;
	}
}

function isPartOf(part: string, whole: string): boolean {
	return part.length >= LEAST_PART && part.length <= whole.length && whole.includes(part);
}

function byNearness(a: Rated, b: Rated): number {
	return (
		Number(b.isPart) - Number(a.isPart) ||
		a.changes - b.changes ||
		(a.shown < b.shown ? -1 : Number(a.shown > b.shown))
	);
}

// The set of letters as a bitmap of 32 bits, each shared by several letters.
function lettersOf(text: string): number {
	let bits = 0;
	for (let at = 0; at < text.length; at++) bits |= 1 << (text.charCodeAt(at) & 31);
	return bits;
}

function bitsIn(number: number): number {
	let count = 0;
	for (let left = number; left !== 0; left &= left - 1) count++;
	return count;
}

// Allocated once, because one run may compare hundreds of thousands of names.
const rows = [new Uint8Array(MOST_COMPARED + 1), new Uint8Array(MOST_COMPARED + 1)];

/**
 * Levenshtein's distance: letters to insert, delete or replace to turn one text into the other. Computes only the cells
 * at most `most` beside the diagonal, because no path that short leaves these (Ukkonen's cut-off).
 *
 * @returns undefined when the distance is more than `most`
 */
function changesBetween(a: string, b: string, most: number): number | undefined {
	let [row, next] = rows;
	for (let j = 0; j <= b.length; j++) row[j] = j;
	for (let i = 1; i <= a.length; i++) {
		const from = Math.max(1, i - most);
		const to = Math.min(b.length, i + most);
		let least = (next[from - 1] = from === 1 ? i : most + 1);
		for (let j = from; j <= to; j++) {
			const replaced = row[j - 1] + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1);
			next[j] = Math.min(replaced, row[j] + 1, next[j - 1] + 1);
			if (next[j] < least) least = next[j];
		}
		if (to < b.length) next[to + 1] = most + 1;
		if (least > most) return undefined;
		[row, next] = [next, row];
	}
	return row[b.length] > most ? undefined : row[b.length];
}
