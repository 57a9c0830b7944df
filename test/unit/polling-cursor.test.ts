import {
	advance,
	isStartComplete,
	reaches,
	recognizes,
	startAt,
	withFloor,
	type Cursor,
} from '../../nodes/CommunityPlatformPollingTrigger/cursor.ts';
import {
	SECOND,
	cursorOf,
	down,
	inFull,
	knownIds,
	member,
	numbers,
	stretchOf,
} from '../support/cursors.mts';

describe('a community under another address', () => {
	it('is known again by one member with the same composite id and join time', () => {
		const cursor = cursorOf({ known: [['7.abc', 70 * SECOND]] });
		expect(recognizes(cursor, [inFull(9, 'x', 90), inFull(7, 'abc', 70)])).toBe(true);
		expect(recognizes(cursor, [inFull(7, 'abc', 70), inFull(6, 'y', 60)])).toBe(true);
	});

	it('is not known again by anybody else, nor by an empty page', () => {
		const cursor = cursorOf({ known: [['7.abc', 70 * SECOND]] });
		expect(recognizes(cursor, [inFull(9, 'x', 90)])).toBe(false);
		expect(recognizes(cursor, [])).toBe(false);
	});

	it('is not known again by the number alone, as every community may count from 1', () => {
		const cursor = cursorOf({ known: [['7', 70 * SECOND]] });
		expect(recognizes(cursor, [member(7, 71)])).toBe(false);
		expect(recognizes(cursor, [inFull(7, 'abc', 71)])).toBe(false);
		expect(recognizes(cursor, [member(7, 70)])).toBe(true);
	});

	it('is another one where the same number and time have another secondary id', () => {
		const cursor = cursorOf({ known: [['7.abc', 70 * SECOND]] });
		expect(recognizes(cursor, [inFull(7, 'xyz', 70)])).toBe(false);
	});

	it('is known again by number and time where the secondary id was not kept', () => {
		const cursor = cursorOf({ known: [['7', 70 * SECOND]] });
		expect(recognizes(cursor, [inFull(7, 'abc', 70)])).toBe(true);
	});

	it('is known again without times by the composite id only', () => {
		const withSid = cursorOf({ known: [['7.abc', null]] });
		expect(recognizes(withSid, [inFull(7, 'abc')])).toBe(true);
		expect(recognizes(withSid, [inFull(8, 'abc')])).toBe(false);
		const withoutSid = cursorOf({ known: [['7', null]] });
		expect(recognizes(withoutSid, [member(7)])).toBe(false);
		expect(recognizes(withoutSid, [inFull(7, 'abc')])).toBe(false);
	});
});

describe('the pages that a new trigger begins with', () => {
	it('are enough once they go down below the instant of the newest one', () => {
		expect(isStartComplete([member(2, 20), member(1, 10)])).toBe(true);
		expect(isStartComplete([member(3, 20), member(2, 20), member(1, 20)])).toBe(false);
	});

	it('are enough where no times are shown, or not the last one, or nobody', () => {
		expect(isStartComplete([member(2), member(1)])).toBe(true);
		expect(isStartComplete([member(2, 20), member(1)])).toBe(true);
		expect(isStartComplete([])).toBe(true);
	});

	it('are enough at a thousand members of one instant', () => {
		const all = down(1000, 1).map((id) => member(id, 5));
		expect(isStartComplete(all.slice(1))).toBe(false);
		expect(isStartComplete(all)).toBe(true);
	});
});

describe('a new trigger', () => {
	it('knows all whom it has seen, and takes those below for old', () => {
		const stretch = stretchOf([[member(3, 30), member(2, 20)]], { isGapless: true });
		expect(startAt('here 10', stretch, false)).toEqual({
			source: 'here 10',
			top: 30 * SECOND,
			floor: 20 * SECOND,
			known: [
				['3', 30 * SECOND],
				['2', 20 * SECOND],
			],
		});
	});

	it('takes nobody for old whom it has not seen, if it has seen all', () => {
		const stretch = stretchOf([[member(3, 30), member(2, 20)]], { isGapless: true });
		const cursor = startAt('here 10', stretch, true);
		expect(cursor.floor).toBeNull();
		const late = stretchOf([[member(3, 30), member(2, 20), member(9, 10)]], { isGapless: true });
		expect(numbers(advance(cursor, late).fresh)).toEqual([9]);
	});

	it('begins in an empty community with nothing', () => {
		const cursor = startAt('here 10', stretchOf([[]]), true);
		expect(cursor).toEqual({ source: 'here 10', top: null, floor: null, known: [] });
	});

	it('takes all below those it has seen for old where no times are shown', () => {
		const cursor = startAt('here 10', stretchOf([[member(3), member(2)]]), false);
		const next = stretchOf([[member(4), member(3), member(1)]], { isGapless: true });
		const { fresh, cursor: after } = advance(cursor, next);
		expect(numbers(fresh)).toEqual([4]);
		expect(knownIds(after).sort()).toEqual(['1', '2', '3', '4']);
	});
});

describe('the time below which members are old', () => {
	it('only ever rises', () => {
		expect(withFloor(cursorOf({ floor: 5 }), 7).floor).toBe(7);
		expect(withFloor(cursorOf({ floor: 7 }), 5).floor).toBe(7);
	});

	it('stays where there is no other, and is none where there was none', () => {
		expect(withFloor(cursorOf({ floor: 7 }), null).floor).toBe(7);
		expect(withFloor(cursorOf(), 7).floor).toBe(7);
		expect(withFloor(cursorOf(), null).floor).toBeNull();
	});

	it('may lie before 1970', () => {
		expect(withFloor(cursorOf({ floor: -7 }), null).floor).toBe(-7);
		expect(withFloor(cursorOf(), -7).floor).toBe(-7);
	});
});

describe('a page that needs none below it', () => {
	const known: Cursor['known'] = [
		['3', 30 * SECOND],
		['2', 20 * SECOND],
	];
	const cursor = cursorOf({ top: 30 * SECOND, floor: 20 * SECOND, known });

	it('is the last one, whoever is on it', () => {
		expect(reaches(cursor, { records: [member(9, 90)], hasMore: false })).toBe(true);
		expect(reaches(cursor, { records: [], hasMore: false })).toBe(true);
	});

	it('is not an empty one that others follow', () => {
		expect(reaches(cursor, { records: [], hasMore: true })).toBe(false);
		expect(reaches(cursorOf(), { records: [], hasMore: true })).toBe(false);
	});

	it('ends below the instant of the newest known one', () => {
		const records = [member(4, 40), member(3, 30), member(2, 20)];
		expect(reaches(cursor, { records, hasMore: true })).toBe(true);
		expect(reaches(cursor, { records: records.slice(0, 2), hasMore: true })).toBe(false);
		expect(reaches(cursor, { records: records.slice(0, 1), hasMore: true })).toBe(false);
	});

	it('shows somebody known, in case the API sorts by another time', () => {
		expect(reaches(cursor, { records: [member(9, 25)], hasMore: true })).toBe(false);
		expect(reaches(cursor, { records: [member(9, 20)], hasMore: true })).toBe(false);
	});

	it('shows somebody known where nobody was there before the trigger', () => {
		const page = { records: [member(9, 10)], hasMore: true };
		expect(reaches(cursorOf({ top: 30 * SECOND, known }), page)).toBe(false);
	});

	it('lies below the time from which all are old', () => {
		expect(reaches(cursor, { records: [member(1, 19)], hasMore: true })).toBe(true);
	});

	it('may end in the instant of the newest one where the others of that instant count as old', () => {
		const one = cursorOf({ top: 30 * SECOND, floor: 30 * SECOND, known });
		expect(reaches(one, { records: [member(3, 30)], hasMore: true })).toBe(true);
	});

	it('shows somebody known where no times are shown', () => {
		const page = { records: [member(4), member(3)], hasMore: true };
		expect(reaches(cursorOf({ known: [['3', null]] }), page)).toBe(true);
		expect(reaches(cursorOf({ known: [['9', null]] }), page)).toBe(false);
		expect(reaches(cursorOf({ top: 30 * SECOND, known }), page)).toBe(true);
	});

	it('shows somebody known where times are shown only since', () => {
		const page = { records: [member(4, 40), member(3, 30)], hasMore: true };
		expect(reaches(cursorOf({ known: [['3', null]] }), page)).toBe(true);
	});

	it('shows somebody who need not be read again, below those who do', () => {
		const lookBack = { ids: ['3'], from: 20 * SECOND };
		const again = cursorOf({ top: 30 * SECOND, known: [...known, ['1', 10 * SECOND]], lookBack });
		const records = [member(3, 30), member(2, 20), member(1, 10)];
		expect(reaches(again, { records: records.slice(0, 1), hasMore: true })).toBe(false);
		expect(reaches(again, { records: records.slice(0, 2), hasMore: true })).toBe(false);
		expect(reaches(again, { records, hasMore: true })).toBe(true);
	});
});

describe('taking in what was read', () => {
	const known: Cursor['known'] = [
		['3', 30 * SECOND],
		['2', 20 * SECOND],
	];
	const cursor = cursorOf({ top: 30 * SECOND, floor: 20 * SECOND, known });
	const gapless = { isGapless: true };

	it('gives the new members, the oldest first, and knows them from then on', () => {
		const page = [member(5, 50), member(4, 40), member(3, 30), member(2, 20)];
		const step = advance(cursor, stretchOf([page], gapless));
		expect(numbers(step.fresh)).toEqual([4, 5]);
		expect(step.isCertain).toBe(true);
		expect(step.cursor).toEqual({
			source: 'here 10',
			top: 50 * SECOND,
			floor: 20 * SECOND,
			known: [['5', 50 * SECOND], ['4', 40 * SECOND], ...known],
		});
		expect(advance(step.cursor, stretchOf([page], gapless)).fresh).toEqual([]);
	});

	it('takes nobody for new who slides up from before the trigger, and need not remember them', () => {
		const page = [member(3, 30), member(8, 20), member(1, 10)];
		const step = advance(cursor, stretchOf([page], gapless));
		expect(step.fresh).toEqual([]);
		expect(knownIds(step.cursor)).toEqual(['3', '2']);
	});

	it('takes somebody with an old date for new who stands above a known one', () => {
		const page = [member(3, 30), member(8, 10), member(2, 20)];
		expect(numbers(advance(cursor, stretchOf([page], gapless)).fresh)).toEqual([8]);
	});

	it('keeps the composite id of somebody who was known by the number', () => {
		const page = [inFull(3, 'abc', 30), inFull(2, 'xyz', 20)];
		const step = advance(cursor, stretchOf([page], gapless));
		expect(step.fresh).toEqual([]);
		expect(step.cursor.known).toEqual([
			['3.abc', 30 * SECOND],
			['2.xyz', 20 * SECOND],
		]);
	});

	it('remembers a thousand, and counts as old who is forgotten', () => {
		const page = down(1001, 1).map((id) => member(id, id));
		const step = advance(cursorOf(), stretchOf([page], gapless));
		expect(step.fresh).toHaveLength(1001);
		expect(knownIds(step.cursor)).toEqual(down(1001, 2).map(String));
		expect(step.cursor.floor).toBe(1 * SECOND);
		expect(advance(step.cursor, stretchOf([page], gapless)).fresh).toEqual([]);
	});

	it('remembers by join time, the newest first, wherever somebody stands in the listing', () => {
		const page = [member(8, 25), member(5, 50), member(3, 30), member(2, 20)];
		const step = advance(cursor, stretchOf([page], gapless));
		expect(knownIds(step.cursor)).toEqual(['5', '3', '8', '2']);
	});

	it('does not lower the time below which members are old when somebody is forgotten', () => {
		const page = down(1001, 1).map((id) => member(id, id));
		const all: Cursor['known'] = page.map(({ user_id }) => [
			String(user_id),
			Number(user_id) * SECOND,
		]);
		const full = cursorOf({ top: 1001 * SECOND, floor: 2 * SECOND, known: all });
		expect(advance(full, stretchOf([page], gapless)).cursor.floor).toBe(2 * SECOND);
	});

	it('has those read again who are not sure, down to those who are', () => {
		const pages = [
			[member(6, 60), member(3, 30)],
			[member(8, 25), member(2, 20), member(1, 10)],
		];
		const step = advance(cursor, stretchOf(pages));
		expect(numbers(step.fresh)).toEqual([8, 6]);
		expect(step.isCertain).toBe(false);
		expect(step.cursor.lookBack).toEqual({ ids: ['6', '3', '8'], from: 30 * SECOND });
	});

	it('has nothing read again where all were read for certain before', () => {
		const pages = [[member(3, 30)], [member(2, 20), member(1, 10)]];
		const step = advance(cursor, stretchOf(pages));
		expect(step.isCertain).toBe(true);
		expect(step.cursor.lookBack).toBeUndefined();
	});

	it('has nothing read again where it has to do', () => {
		const step = advance(cursor, stretchOf([[member(5, 50)], [member(4, 40)]]), true);
		expect(step.isCertain).toBe(true);
		expect(step.cursor.lookBack).toBeUndefined();
	});

	it('has at most a thousand read again', () => {
		const pages = [down(1001, 1).map((id) => member(id, id))];
		const { lookBack } = advance(cursorOf(), stretchOf(pages)).cursor;
		expect(lookBack).toEqual({ ids: down(1001, 2).map(String), from: null });
	});
});
