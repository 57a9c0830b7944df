import { quoted } from '../../shared/failure';
import { Stop } from '../../shared/limiter';
import { dispatch } from './dispatch';

const MOST_OFFERED = 3;
// Names that are compared letter by letter; further misses of a run get no suggestion.
const MOST_MISSES = 10;
// Differences are near the beginning; the time of a comparison grows with the square of its length.
const MOST_COMPARED = 60;
// Of a longer name, only the beginning is searched.
const MOST_SEARCHED = 1000;
// At most one letter in so many may differ.
const LETTERS_FOR_EACH_CHANGE = 3;
// Shorter texts are part of almost every name.
const LEAST_PART = 3;

const ALTERNATIVES = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Suggestions for names that were not found in a run. */
export class Nearest {
	private misses = 0;
	/** Comparisons with all names take long: one after another, they leave n8n its turns. */
	private comparing: Promise<unknown> = Promise.resolve();

	/**
	 * Gives a sentence with the names nearest to one, at most three; empty text without any, and after ten misses.
	 *
	 * @param names folded as `typed` is, each with how it is shown
	 */
	async to(typed: string, names: Array<[folded: string, shown: string]>): Promise<string> {
		if (this.misses++ >= MOST_MISSES) return '';
		const comparing = this.comparing.then(async () => await nearest(typed, names));
		this.comparing = comparing;
		const near = (await comparing).map(quoted);
		return near.length > 0 ? `The nearest there is: ${ALTERNATIVES.format(near)}.` : '';
	}
}

// Names of which one contains the other come first, then those with the fewest letters to change.
async function nearest(typed: string, names: Array<[string, string]>): Promise<string[]> {
	let rated: Array<{ shown: string; changes: number }> = [];
	await dispatch(names.length, new Stop(), async (at) => {
		const [folded, shown] = names[at];
		const changes = changesBetween(typed, folded);
		if (changes === undefined) return;
		rated.push({ shown, changes });
		rated.sort((a, b) => a.changes - b.changes || a.shown.localeCompare(b.shown));
		rated = rated
			.filter((each, index) => rated.findIndex((other) => other.shown === each.shown) === index)
			.slice(0, MOST_OFFERED);
	});
	return rated.map(({ shown }) => shown);
}

function changesBetween(typed: string, folded: string): number | undefined {
	const [short, long] = [typed, folded]
		.map((name) => name.slice(0, MOST_SEARCHED))
		.sort((a, b) => a.length - b.length);
	const difference = long.length - short.length;
	const isPart = short.length >= LEAST_PART && 2 * folded.length >= typed.length;
	if (isPart && long.includes(short)) return difference - long.length;
	const most = Math.floor(Math.min(long.length, MOST_COMPARED) / LETTERS_FOR_EACH_CHANGE);
	if (difference > most) return undefined;
	const changes = editDistance(typed.slice(0, MOST_COMPARED), folded.slice(0, MOST_COMPARED));
	return changes <= most ? changes : undefined;
}

/** Levenshtein's distance: letters to insert, delete or replace to turn one text into the other. */
function editDistance(a: string, b: string): number {
	let row = Array.from({ length: b.length + 1 }, (_, j) => j);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const replaced = row[j - 1] + Number(a[i - 1] !== b[j - 1]);
			next.push(Math.min(replaced, row[j] + 1, next[j - 1] + 1));
		}
		row = next;
	}
	return row[b.length];
}
