import { hasMore, isRecord } from '../../../nodes/shared/transport/answer.ts';
import type { Findings, Note, Use } from '../finding.mts';
import type { Json } from '../forms.mts';
import { noteForm } from '../forms.mts';
import { described, isSuccess } from '../refusal.mts';
import type { Answer, Visitor } from '../visitor.mts';

/** A listing of the API, and what the node asks of it. */
export interface Listing {
	/** What it lists, e.g. `Users`. */
	part: string;
	path: string;
	query?: Record<string, string | number>;
	idField: string;
	/** Name of the documented form of its records, see `noteForm`. */
	form: string;
	uses: Use[];
	/** Orders to ask for, each with the field that it is about. */
	orders?: Order[];
}

/** An order that a listing can be asked for. */
export interface Order {
	query: Record<string, string>;
	field: string;
	isDescending: boolean;
	/** What rests on it beside the listing itself. */
	uses?: Use[];
}

/** Small, so that three pages show how the listing goes on. */
const PAGE_SIZE = 5;
const LARGEST_PAGE = 50;
const PAGES = 3;
/** Behind the last page of any community. */
const FAR_PAGE = 100_000;

/**
 * Checks a listing: whether it says that it goes on, keeps to the page size, repeats no record on the next
 * pages, gives the same again, and is ordered as asked.
 *
 * @returns the records of its longest page; none where it could not be read
 */
export async function checkListing(
	visitor: Visitor,
	findings: Findings,
	listing: Listing,
): Promise<Json[]> {
	const { path, query, idField, form } = listing;
	const note = findings.about(listing.part, listing.uses);
	const get = async (page: number, size: number, more = {}) =>
		await visitor.get(path, { ...query, ...more, page, page_size: size });

	const first = await get(1, LARGEST_PAGE);
	const records = recordsOf(first);
	if (!records) {
		note('Listed', 'in the way', `GET ${first.url}: ${described(first)}`);
		return [];
	}
	note('Listed', 'as documented', `${records.length} on the first page`);
	noteHeader(note, first);
	noteSize(note, records.length, LARGEST_PAGE);
	if (records.length > 0) noteForm(note, form, records);

	const pages: Answer[] = [];
	for (let page = 1; page <= PAGES; page++) {
		const answer = await get(page, PAGE_SIZE);
		pages.push(answer);
		if (goesOn(answer) === false) break;
	}
	const again = await get(1, LARGEST_PAGE);
	const isSame = sameIds(records, recordsOf(again) ?? [], idField);
	notePages(note, pages, idField, { records, isSame });
	if (goesOn(pages[pages.length - 1]) !== false) {
		noteEnd(note, await get(FAR_PAGE, LARGEST_PAGE));
	}
	if (!recordsOf(again)) note('The same on two readings', 'not checked', described(again));
	else if (isSame) {
		note('The same on two readings', 'as documented', 'the same identifiers in the same order');
	} else note('The same on two readings', 'differs', 'other identifiers, or in another order');
	for (const order of listing.orders ?? []) {
		const answer = await get(1, LARGEST_PAGE, order.query);
		noteOrder(findings.about(listing.part, order.uses ?? []), order, answer);
	}
	return records;
}

/** The records of a page, or undefined where it is none. */
export function recordsOf({ status, body }: Answer): Json[] | undefined {
	return isSuccess({ status }) && Array.isArray(body) && body.every(isRecord) ? body : undefined;
}

function goesOn({ status, headers, body }: Answer): boolean | undefined {
	return hasMore({ statusCode: status, headers, body });
}

function noteHeader(note: Note, answer: Answer): void {
	const value = answer.headers.has_more;
	if (value === undefined) {
		note(
			'Header has_more',
			'differs',
			'missing: the node reads on until a page brings nothing new',
		);
	} else if (value === '0' || value === '1') note('Header has_more', 'as documented', value);
	else
		note(
			'Header has_more',
			'differs',
			`neither 0 nor 1, taken as ${goesOn(answer) ? 'more' : 'no more'}`,
		);
}

function noteSize(note: Note, count: number, size: number): void {
	const isHonoured = count <= size;
	note(
		`Page size ${size} honoured`,
		isHonoured ? 'as documented' : 'differs',
		`${count} records where at most ${size} were asked for`,
	);
}

/** The longest page, and whether a second reading gave the same. */
interface Whole {
	records: Json[];
	isSame: boolean;
}

function notePages(note: Note, pages: Answer[], idField: string, whole: Whole): void {
	const lists = pages.map(recordsOf);
	const broken = pages.find((_, index) => lists[index] === undefined);
	if (broken) {
		note('Pages after one another', 'in the way', `GET ${broken.url}: ${described(broken)}`);
		return;
	}
	noteSize(note, Math.max(...lists.map((list) => list?.length ?? 0)), PAGE_SIZE);
	const ids = lists.flatMap((list) => (list ?? []).map((record) => record[idField]));
	const isEnd = goesOn(pages[pages.length - 1]) === false;
	const amiss = amissWith(ids, idField, whole, isEnd);
	const found = `${ids.length} records on ${pages.length} page${pages.length > 1 ? 's' : ''}`;
	if (amiss !== undefined) note('Pages after one another', 'in the way', amiss);
	else note('Pages after one another', 'as documented', `${found}, none repeated`);
}

function amissWith(
	ids: unknown[],
	idField: string,
	{ records, isSame }: Whole,
	isEnd: boolean,
): string | undefined {
	if (ids.some((id) => id === undefined || id === null)) return `records without ${idField}`;
	const repeated = ids.length - new Set(ids).size;
	if (repeated > 0) return `${repeated} of ${ids.length} records repeated`;
	if (isEnd && ids.length < records.length) {
		return `has_more is 0 after ${ids.length} of ${records.length} records`;
	}
	const isOther = ids.slice(0, records.length).some((id, index) => id !== records[index][idField]);
	return isSame && isOther ? `other records than on one page of ${LARGEST_PAGE}` : undefined;
}

// A listing that never says that it ends cannot be read to its end, and not every one ends within the first pages.
function noteEnd(note: Note, answer: Answer): void {
	const records = recordsOf(answer);
	if (!records) note('Behind the last page', 'not checked', described(answer));
	else if (goesOn(answer)) {
		note('Behind the last page', 'in the way', `page ${FAR_PAGE} says that there is more`);
	} else {
		const verdict = records.length > 0 ? 'differs' : 'as documented';
		note('Behind the last page', verdict, `${records.length} records on page ${FAR_PAGE}`);
	}
}

function sameIds(one: Json[], other: Json[], idField: string): boolean {
	const ids = (records: Json[]) => JSON.stringify(records.map((record) => record[idField]));
	return ids(one) === ids(other);
}

function noteOrder(note: Note, { query, field, isDescending }: Order, answer: Answer): void {
	const asked = `Ordered by ${Object.values(query).join(', ')}`;
	const records = recordsOf(answer);
	if (!records) {
		note(asked, 'in the way', described(answer));
		return;
	}
	const values = records.map((record) => record[field]).filter((value) => value !== undefined);
	if (values.length < 2) {
		note(asked, 'not checked', `fewer than two records with ${field}`);
		return;
	}
	const isOrdered = COMPARISONS.some((compare) =>
		values.every((value, index) => {
			const order = index === 0 ? 0 : compare(values[index - 1], value);
			// NaN, for what are no times, is neither.
			return isDescending ? order >= 0 : order <= 0;
		}),
	);
	note(
		asked,
		isOrdered ? 'as documented' : 'in the way',
		isOrdered ? `${values.length} records` : `${field} is not in this order`,
	);
}

type Compare = (a: unknown, b: unknown) => number;

// How texts are ordered is not documented: capitals before small letters, or side by side.
const COMPARISONS: Compare[] = [
	// Times come with and without fractions of a second.
	(a, b) => Date.parse(String(a)) - Date.parse(String(b)),
	(a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : byCode(String(a), String(b))),
	(a, b) => String(a).localeCompare(String(b), 'en', { sensitivity: 'base' }),
	(a, b) => byCode(String(a).toLowerCase(), String(b).toLowerCase()),
];

function byCode(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
