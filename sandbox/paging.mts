import type { ListFault } from './faults.mts';
import type { Listing } from './routes/handler.mts';

/** A page of the answer. Without `hasMore`, the header is left out. */
export interface Page {
	body: unknown;
	hasMore: string | undefined;
}

type Fault<Kind extends ListFault['kind']> = Extract<ListFault, { kind: Kind }>;

/**
 * Cuts one page out of a list (docs/api/README.md, "Limits"). Faults can change it.
 * @param page number of the page, from 1
 * @param pageSize upper bound of the number of records
 */
export function cutPage(
	listing: Listing,
	page: number,
	pageSize: number,
	faults: readonly ListFault[] = [],
): Page {
	const fault = <Kind extends ListFault['kind']>(kind: Kind) =>
		faults.find((each): each is Fault<Kind> => each.kind === kind);
	const plain = plainPage(listing, page, pageSize, {
		short: fault('shortPages'),
		empty: fault('emptyPages'),
		stuck: fault('stuck'),
	});
	const header = fault('hasMore');
	const other = fault('notAList');
	return {
		body: other ? other.value : plain.body,
		hasMore: header ? (header.value ?? undefined) : plain.hasMore,
	};
}

function plainPage(
	listing: Listing,
	page: number,
	pageSize: number,
	faults: { short?: Fault<'shortPages'>; empty?: Fault<'emptyPages'>; stuck?: Fault<'stuck'> },
): Page {
	const { short, empty, stuck } = faults;
	const size = short ? Math.min(short.keep, pageSize) : pageSize;
	const from = stuck?.from ?? 1;
	const isStuck = stuck !== undefined && page >= from;
	if (isStuck && stuck.answer === 'emptyPage') return { body: [], hasMore: '1' };
	let number = isStuck ? from : page;
	if (empty && number >= empty.at) {
		if (number < empty.at + empty.count) return { body: [], hasMore: '1' };
		number -= empty.count;
	}
	const start = (number - 1) * size;
	const ends = start + size >= listing.records.length;
	// Empty pages still to come are announced like any other.
	const more = isStuck || !ends || (empty !== undefined && page < empty.at);
	return { body: listing.slice(start, start + size), hasMore: more ? '1' : '0' };
}
