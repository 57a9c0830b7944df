import type { Reading } from '../../nodes/CommunityPlatformPollingTrigger/cursor.ts';
import {
	advance,
	isStartComplete,
	reaching,
	recognizes,
	startAt,
	toCursor,
	withFloor,
} from '../../nodes/CommunityPlatformPollingTrigger/cursor.ts';
import { SECOND, cursorOf, down, inFull, knowing, member, numbers } from '../support/cursors.mts';

/** What one page showed, of a listing that goes on. */
function onePage(records: ReturnType<typeof member>[], parts: Partial<Reading> = {}): Reading {
	const pages = [{ records, hasMore: true }];
	return { first: 1, pages, records, isWhole: true, isComplete: true, isAll: false, ...parts };
}

describe('a community under another address', () => {
	const cursor = cursorOf({ known: [['7.abc', 70 * SECOND]] });

	it('is recognized by one member with the same composite id and join time', () => {
		expect(recognizes(cursor, [inFull(9, 'x', 90), inFull(7, 'abc', 70)])).toBe(true);
	});

	it('is not recognized by other members, nor by an empty page', () => {
		expect(recognizes(cursor, [inFull(9, 'x', 90)])).toBe(false);
		expect(recognizes(cursor, [])).toBe(false);
	});

	it('is not recognized by the number alone, as every community may count from 1', () => {
		expect(recognizes(knowing([7]), [member(7, 71)])).toBe(false);
		expect(recognizes(knowing([7]), [inFull(7, 'abc', 71)])).toBe(false);
		expect(recognizes(knowing([7]), [member(7, 7)])).toBe(true);
	});

	it('is another one where the same number and time have another secondary id', () => {
		expect(recognizes(cursor, [inFull(7, 'xyz', 70)])).toBe(false);
	});

	it('is recognized by number and time where the secondary id was not kept', () => {
		expect(recognizes(knowing([7]), [inFull(7, 'abc', 7)])).toBe(true);
	});

	it('is recognized without times by the composite id only', () => {
		const withSid = cursorOf({ known: [['7.abc', null]] });
		expect(recognizes(withSid, [inFull(7, 'abc')])).toBe(true);
		expect(recognizes(withSid, [inFull(8, 'abc')])).toBe(false);
		const withoutSid = cursorOf({ known: [['7', null]] });
		expect(recognizes(withoutSid, [member(7)])).toBe(false);
		expect(recognizes(withoutSid, [inFull(7, 'abc')])).toBe(false);
	});
});

describe('a new trigger', () => {
	it('has seen enough once it has read down below the instant of the newest member', () => {
		expect(isStartComplete([member(2, 20), member(1, 10)])).toBe(true);
		expect(isStartComplete([member(3, 20), member(2, 20), member(1, 20)])).toBe(false);
	});

	it('has seen enough where no times are shown, or at a thousand members of one instant', () => {
		expect(isStartComplete([member(2), member(1)])).toBe(true);
		const all = down(1000, 1).map((id) => member(id, 5));
		expect(isStartComplete(all.slice(1))).toBe(false);
		expect(isStartComplete(all)).toBe(true);
	});

	it('knows all members that it has read, and counts those below as old', () => {
		const cursor = startAt('here 10', onePage([member(3, 3), member(2, 2)]));
		expect(cursor).toEqual(knowing([3, 2], { floor: 2 * SECOND }));
	});

	it('counts none as old if it has read the whole listing', () => {
		const all = onePage([member(3, 3), member(2, 2)], { isAll: true });
		expect(startAt('here 10', all)).toEqual(knowing([3, 2]));
	});

	it('counts all below those it has read as old where no times are shown', () => {
		const cursor = startAt('here 10', onePage([member(3), member(2)]));
		const { fresh } = advance(cursor, onePage([member(4), member(3), member(1)]));
		expect(numbers(fresh)).toEqual([4]);
	});
});

describe('the time below which members are old', () => {
	it('only ever rises', () => {
		expect(withFloor(cursorOf({ floor: 5 }), 7).floor).toBe(7);
		expect(withFloor(cursorOf({ floor: 7 }), 5).floor).toBe(7);
		expect(withFloor(cursorOf({ floor: -7 }), null).floor).toBe(-7);
		expect(withFloor(cursorOf(), -7).floor).toBe(-7);
		expect(withFloor(cursorOf(), null).floor).toBeNull();
	});

	it('rises to the join time of members that are dropped', () => {
		const page = onePage(down(1001, 1).map((id) => member(id, id)));
		const { fresh, cursor } = advance(cursorOf(), page);
		expect(fresh).toHaveLength(1001);
		expect(cursor).toEqual(knowing(down(1001, 2), { floor: SECOND }));
		expect(advance(cursor, page).fresh).toEqual([]);
	});
});

describe('the page below which no member can be new', () => {
	const cursor = knowing([3, 2], { floor: SECOND });
	const isReached = (ids: number[], hasMore?: boolean) =>
		reaching(cursor)({ records: ids.map((id) => member(id, id)), hasMore });

	it('is the last one of the listing', () => {
		expect(isReached([9], false)).toBe(true);
		expect(isReached([], false)).toBe(true);
	});

	it.each([true, undefined])('ends with a known member, where has_more is %s', (hasMore) => {
		expect(isReached([4, 3, 2], hasMore)).toBe(true);
		expect(isReached([4], hasMore)).toBe(false);
		expect(isReached([], hasMore)).toBe(false);
	});

	it('ends below the instant of the newest known member', () => {
		expect(isReached([4, 3], true)).toBe(false);
	});

	it('ends with an old member, where the known ones are gone', () => {
		expect(isReached([4, 1], true)).toBe(true);
	});

	it('may end in an instant of which all who are not known count as old', () => {
		const one = { ...cursor, floor: 3 * SECOND };
		expect(reaching(one)({ records: [member(3, 3)], hasMore: true })).toBe(true);
	});

	it('shows a known member where no times are shown', () => {
		const untimed = cursorOf({ floor: Number.MAX_SAFE_INTEGER, known: [['3', null]] });
		const isMet = (...ids: number[]) =>
			reaching(untimed)({ records: ids.map((id) => member(id)), hasMore: true });
		expect(isMet(4, 3)).toBe(true);
		expect(isMet(4, 3, 1)).toBe(true);
		expect(isMet(5, 4)).toBe(false);
	});

	it('shows a confirmed member', () => {
		const unconfirmed = { ids: ['3'], absent: ['2'], from: null, isWhole: true, piecemeal: 0 };
		const again = knowing([3, 2, 1], { unconfirmed });
		const isMet = (...ids: number[]) =>
			reaching(again)({ records: ids.map((id) => member(id, id)), hasMore: true });
		expect(isMet(3)).toBe(false);
		expect(isMet(3, 2)).toBe(false);
		expect(isMet(3, 2, 1)).toBe(true);
	});
});

describe('deduplication', () => {
	const cursor = knowing([3, 2], { floor: 2 * SECOND });

	it('gives new members once', () => {
		const page = onePage([member(5, 5), member(4, 4), member(3, 3), member(2, 2)]);
		const step = advance(cursor, page);
		expect(numbers(step.fresh)).toEqual([5, 4]);
		expect(step.cursor).toEqual(knowing([5, 4, 3, 2], { floor: 2 * SECOND }));
		expect(advance(step.cursor, page).fresh).toEqual([]);
	});

	it('counts a member with an old date as new who stands above a known one', () => {
		const page = onePage([member(3, 3), member(8, 1), member(2, 2)]);
		expect(numbers(advance(cursor, page).fresh)).toEqual([8]);
	});

	it('keeps the composite id of a member who was known by the number', () => {
		const step = advance(cursor, onePage([inFull(3, 'abc', 3), inFull(2, 'xyz', 2)]));
		expect(step.fresh).toEqual([]);
		expect(step.cursor.known.map(([id]) => id)).toEqual(['3.abc', '2.xyz']);
	});
});

describe('what n8n kept', () => {
	it('is a cursor again after a poll', () => {
		const unconfirmed = {
			ids: ['3'],
			absent: [],
			from: null,
			isWhole: true,
			piecemeal: 0,
			page: 2,
		};
		const cursor = knowing([3, 2], { floor: 2 * SECOND, unconfirmed });
		expect(toCursor(JSON.parse(JSON.stringify(cursor)))).toEqual(cursor);
		expect(toCursor(knowing([3]))).toEqual(knowing([3]));
	});

	it.each([
		...[undefined, null, 7, 'x', [], {}, { listing: 'x' }, { known: [] }],
		...[[7], [['3', 3], 7], [[3, 3]], ['3']].map((known) => ({ listing: 'x', known })),
	])('is not a cursor: %j', (kept) => {
		expect(toCursor(kept)).toBeUndefined();
	});

	it('is read without entries of another form', () => {
		const kept = { ...knowing([3]), floor: undefined, unconfirmed: 7, top: 5 };
		expect(toCursor(kept)).toEqual(knowing([3]));
	});
});
