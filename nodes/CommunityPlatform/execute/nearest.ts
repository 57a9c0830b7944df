import { quoted } from '../../shared/failure';

const MAX_OFFERED = 3;
// Each suggestion compares a name with all others, which n8n waits for.
const MAX_MISSES = 10;
// A shorter text is part of almost every name.
const MIN_PART = 3;

const ALTERNATIVES = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Suggestions for the names that were not found in a run. */
export class Nearest {
	private names?: Array<[folded: string, shown: string]>;
	private misses = 0;

	/** @param list lists the names that exist, folded like those that are missed; called once, at the first miss */
	constructor(private readonly list: () => Array<[folded: string, shown: string]>) {}

	/** Returns a question with up to three similar names. Empty if there are none, or after ten misses. */
	to(typed: string): string {
		if (this.misses++ >= MAX_MISSES) return '';
		this.names ??= this.list();
		const near = this.names.filter(([folded]) => isNear(typed, folded));
		// A username usually begins with the first name.
		const isBeginning = ([folded]: [string, string]) => folded.startsWith(typed);
		const sorted = [...near.filter(isBeginning), ...near.filter((each) => !isBeginning(each))];
		const names = [...new Set(sorted.map(([, shown]) => quoted(shown)))];
		if (names.length === 0) return '';
		const others = names.length > MAX_OFFERED ? ['another one'] : [];
		const offered = ALTERNATIVES.format([...names.slice(0, MAX_OFFERED), ...others]);
		return `Did you mean ${offered}?${names.length > 1 ? ' If you do not know, ask.' : ''}`;
	}
}

/** Whether one is part of the other, or they differ in only one place, by at most a third of the letters. */
function isNear(typed: string, name: string): boolean {
	const [short, long] = [typed, name].sort((a, b) => a.length - b.length);
	const isPart = short.length >= MIN_PART && 2 * name.length >= typed.length;
	if (isPart && long.includes(short)) return true;
	let start = 0;
	while (start < short.length && short[start] === long[start]) start++;
	let end = 0;
	while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end++;
	return 3 * (start + end) >= 2 * long.length;
}
