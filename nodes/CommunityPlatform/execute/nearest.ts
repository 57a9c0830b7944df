import { sleep } from 'n8n-workflow';
import { quoted } from '../../shared/failure';

const MAX_OFFERED = 3;
// So many names fit into a failure, and a wrong column of a table has thousands.
const MAX_MISSES = 10;
// A shorter text is part of almost every name.
const MIN_PART = 3;
// Milliseconds after which the comparison yields to n8n's event loop.
const MAX_BLOCKING_MS = 10;

const ALTERNATIVES = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** A similar name, with the number of letters that agree. */
interface Near {
	shown: string;
	agreeing: number;
	/** A username usually begins with the first name. */
	isBeginning: boolean;
}

/** Suggestions for the names that were not found in a run. */
export class Nearest {
	private misses = 0;
	/** What the next pass compares. */
	private waiting = new Map<string, Near[]>();
	private pass?: Promise<Map<string, Near[]>>;

	/** @param list lists the names that exist, folded like those that are missed */
	constructor(private readonly list: () => Array<[folded: string, shown: string]>) {}

	/**
	 * Returns a question with up to three similar names, the most similar first. Empty if there are none, or after ten
	 * misses. Names that are missed at the same time are compared in one pass over the list.
	 */
	async to(typed: string): Promise<string> {
		if (this.misses++ >= MAX_MISSES) return '';
		this.waiting.set(typed, []);
		this.pass ??= sleep(0).then(async () => await this.compare());
		const near = (await this.pass).get(typed) ?? [];
		near.sort(
			(a, b) =>
				b.agreeing - a.agreeing ||
				Number(b.isBeginning) - Number(a.isBeginning) ||
				a.shown.length - b.shown.length,
		);
		const names = [...new Set(near.map(({ shown }) => quoted(shown)))];
		if (names.length === 0) return '';
		const others = names.length > MAX_OFFERED ? ['another one'] : [];
		const offered = ALTERNATIVES.format([...names.slice(0, MAX_OFFERED), ...others]);
		return `Did you mean ${offered}?${names.length > 1 ? ' If you do not know, ask.' : ''}`;
	}

	private async compare(): Promise<Map<string, Near[]>> {
		const near = this.waiting;
		this.waiting = new Map();
		this.pass = undefined;
		let sliceEnds = performance.now() + MAX_BLOCKING_MS;
		for (const [folded, shown] of this.list()) {
			if (performance.now() > sliceEnds) {
				await sleep(0);
				sliceEnds = performance.now() + MAX_BLOCKING_MS;
			}
			for (const [each, found] of near) {
				const agreeing = agreeingLetters(each, folded);
				if (agreeing > 0) found.push({ shown, agreeing, isBeginning: folded.startsWith(each) });
			}
		}
		return near;
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
