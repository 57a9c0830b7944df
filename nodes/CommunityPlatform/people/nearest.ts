import { quoted } from '../../shared/failure';
import { yielding } from '../../shared/async/pace';

const MAX_OFFERED = 3;
// So many names fit into a failure, and a wrong column of a table has thousands.
const MAX_MISSES = 10;
// A shorter text is part of almost every name.
const MIN_PART = 3;

const ALTERNATIVES = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Suggestions for the names that were not found in a run. */
export class Nearest {
	private misses = 0;
	/** Shared, so that several names that are compared at the same time block no longer than one. */
	private readonly yieldIfDue = yielding();

	/** @param list lists the names that exist, folded like those that are missed, and as people know them */
	constructor(private readonly list: () => Array<[folded: string, shown: string]>) {}

	/** Returns a question with up to three similar names, the most similar first. Empty if there are none, or after ten misses. */
	async to(typed: string): Promise<string> {
		if (this.misses++ >= MAX_MISSES) return '';
		const similar: Array<{ shown: string; agreeing: number; isBeginning: boolean }> = [];
		for (const [folded, shown] of this.list()) {
			const due = this.yieldIfDue();
			if (due) await due;
			const agreeing = agreeingLetters(typed, folded);
			// A username usually begins with the first name.
			if (agreeing > 0) similar.push({ shown, agreeing, isBeginning: folded.startsWith(typed) });
		}
		similar.sort(
			(a, b) =>
				b.agreeing - a.agreeing ||
				Number(b.isBeginning) - Number(a.isBeginning) ||
				a.shown.length - b.shown.length,
		);
		const names = [...new Set(similar.map(({ shown }) => quoted(shown)))];
		if (names.length === 0) return '';
		const others = names.length > MAX_OFFERED ? ['another one'] : [];
		const offered = ALTERNATIVES.format([...names.slice(0, MAX_OFFERED), ...others]);
		return `Did you mean ${offered}?${names.length > 1 ? ' If you do not know, ask.' : ''}`;
	}
}

/**
 * Returns how many letters of two names agree, if one is part of the other, or if they differ in only one place, by at
 * most a third of the letters. Otherwise 0.
 */
function agreeingLetters(typed: string, name: string): number {
	const [short, long] = typed.length < name.length ? [typed, name] : [name, typed];
	const isPart = short.length >= MIN_PART && 2 * name.length >= typed.length;
	if (isPart && long.includes(short)) return short.length;
	let start = 0;
	while (start < short.length && short[start] === long[start]) start++;
	let end = 0;
	while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end++;
	return 3 * (start + end) >= 2 * long.length ? start + end : 0;
}
