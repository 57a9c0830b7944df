import type { IDataObject } from 'n8n-workflow';
import type { FetchPage } from './listing';
import { idOf } from './member';

/** How often one border is looked at, at most: each look tells where to look next. */
const MOST_LOOKS = 3;

/**
 * Finds out who slid over a border of pages that were read one after another, because somebody above
 * left meanwhile. A page of another size shows the end of one page, the beginning of the next one and
 * whoever is between them at the same moment. (The walk itself keeps its page size: contract, decision 5.)
 *
 * From the bottom up, because the lowest border was read last and has moved the least; how far it has
 * tells where the next one is.
 *
 * @param first the number of the first page, counted from 1
 * @param pages what each held
 * @param matters whether somebody who is missed below a page has to be found now
 * @returns everyone seen, in the order of the listing, each once; undefined where no page shows both
 * sides of a border, for instance because the API keeps a page size of its own
 * @throws what `fetchPage` throws
 */
export async function lookAcross(
	first: number,
	pages: IDataObject[][],
	fetchPage: FetchPage,
	matters: (page: IDataObject[]) => boolean,
): Promise<IDataObject[] | undefined> {
	const mostOnPage = Math.max(...pages.map(({ length }) => length));
	// Above that page all are known, and whoever slid over a border there joined before them: somebody with an
	// old date, whom no poll looks for below its first page.
	const highest = pages.findIndex(matters);
	const seen = [...pages];
	let shift = 0;
	for (let index = pages.length - 2; index >= highest && highest >= 0; index--) {
		const [above, below] = [pages[index], pages[index + 1]];
		// Somebody joined meanwhile, so that the pages overlap by themselves.
		if (isShared(above, below)) continue;
		const membersAbove = (first + index) * mostOnPage;
		let look: Look | undefined;
		for (let looks = 0; looks < MOST_LOOKS && !look?.isAcross; looks++) {
			look = await lookAt(membersAbove + shift, mostOnPage, above, below, fetchPage);
			if (!look) return undefined;
			shift = look.membersAbove - membersAbove;
		}
		if (!look?.isAcross) return undefined;
		// What it shows of the page below stands there, too, as it was a moment before.
		const place = look.records.findIndex(isOneOf(below));
		seen.splice(index + 1, 0, place < 0 ? look.records : look.records.slice(0, place));
	}
	return eachOnce(seen.flat());
}

interface Look {
	records: IDataObject[];
	/** Whether it shows both sides of the border. */
	isAcross: boolean;
	/** How many there are above the border, as far as can be told. */
	membersAbove: number;
}

async function lookAt(
	membersAbove: number,
	mostOnPage: number,
	above: IDataObject[],
	below: IDataObject[],
	fetchPage: FetchPage,
): Promise<Look | undefined> {
	const { page, size } = pageAcross(Math.max(1, membersAbove), mostOnPage);
	const { records, hasMore } = await fetchPage(page, size);
	const place = placeOfBorder(records, above, below);
	if (records.length > size || place === undefined) return undefined;
	const isBelowShown = isShared(records, below) || !hasMore;
	return {
		records,
		isAcross: isShared(records, above) && isBelowShown,
		membersAbove: (page - 1) * size + place,
	};
}

// The page that shows the most on either side of the border below so many members.
function pageAcross(membersAbove: number, mostOnPage: number): { page: number; size: number } {
	const marginOf = (size: number) => Math.min(membersAbove % size, size - (membersAbove % size));
	let size = mostOnPage;
	for (let smaller = size; smaller > 1; smaller--) {
		if (marginOf(smaller) > marginOf(size)) size = smaller;
	}
	return { page: Math.floor(membersAbove / size) + 1, size };
}

// How many of the records are above the border; less than none or more than all where it is not on the page.
function placeOfBorder(
	records: IDataObject[],
	above: IDataObject[],
	below: IDataObject[],
): number | undefined {
	const distances = new Map([
		...above.map((record, index) => [idOf(record), above.length - index] as const),
		...below.map((record, index) => [idOf(record), -index] as const),
	]);
	for (const [index, record] of records.entries()) {
		const distance = distances.get(idOf(record));
		if (distance !== undefined) return index + distance;
	}
	return undefined;
}

function isShared(one: IDataObject[], other: IDataObject[]): boolean {
	return other.some(isOneOf(one));
}

function isOneOf(records: IDataObject[]): (record: IDataObject) => boolean {
	const ids = new Set(records.map(idOf));
	return (record) => ids.has(idOf(record));
}

function eachOnce(records: IDataObject[]): IDataObject[] {
	return [...new Map(records.map((record) => [idOf(record), record])).values()];
}
