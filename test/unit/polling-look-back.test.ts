import type { IDataObject } from 'n8n-workflow';
import {
	advance,
	settledBy,
	type Stretch,
} from '../../nodes/CommunityPlatformPollingTrigger/cursor.ts';
import { SECOND, cursorOf, member, stretchOf } from '../support/cursors.mts';

describe('reading again', () => {
	const cursor = cursorOf({
		top: 40 * SECOND,
		known: [
			['4', 40 * SECOND],
			['3', 30 * SECOND],
			['2', 20 * SECOND],
		],
		lookBack: { ids: ['4', '3'], from: 20 * SECOND },
	});
	const [two, three, four, five] = [member(2, 20), member(3, 30), member(4, 40), member(5, 50)];

	function isSure(pages: IDataObject[][], parts: Partial<Stretch> = {}): boolean {
		return advance(cursor, stretchOf(pages, parts)).isCertain;
	}

	it('makes sure where it shows the same', () => {
		const step = advance(cursor, stretchOf([[four], [three, two]]));
		expect(step).toMatchObject({ fresh: [], isCertain: true });
		expect(step.cursor.lookBack).toBeUndefined();
	});

	it('makes sure where somebody joined since on the same page as others', () => {
		expect(
			isSure([
				[five, four],
				[three, two],
			]),
		).toBe(true);
		expect(isSure([[], [five, four], [three, two]])).toBe(true);
	});

	it('does not make sure where those who joined since fill a page', () => {
		expect(isSure([[five], [four, three, two]])).toBe(false);
	});

	it('does not make sure where somebody is gone', () => {
		expect(isSure([[three], [two]])).toBe(false);
		expect(isSure([[four], [two]])).toBe(false);
	});

	it('does not make sure where somebody stands between who did not', () => {
		expect(isSure([[four], [member(9, 35), three, two]])).toBe(false);
	});

	it('does not make sure where somebody is there twice', () => {
		const records = [four, three, two];
		expect(
			isSure(
				[
					[four, three],
					[three, two],
				],
				{ records },
			),
		).toBe(false);
	});

	it('does not make sure where nothing had been read before', () => {
		const first = cursorOf({ top: 20 * SECOND, known: [['2', 20 * SECOND]] });
		expect(advance(first, stretchOf([[four], [three, two]])).isCertain).toBe(false);
	});

	it('of the lower ones alone leaves those above to be read again', () => {
		const step = advance(cursor, stretchOf([[three], [two]], { isFromTop: false }));
		expect(step.isCertain).toBe(true);
		expect(step.cursor.lookBack).toEqual({ ids: ['4'], from: 30 * SECOND });
	});

	it('of the lower ones alone does not make sure where somebody new stands above them', () => {
		const late = member(9, 35);
		const step = advance(cursor, stretchOf([[late, three], [two]], { isFromTop: false }));
		expect(step.isCertain).toBe(false);
		expect(step.cursor.lookBack).toEqual({ ids: ['4', '9', '3'], from: 20 * SECOND });
	});

	it('forgets somebody above who left, or slid down past others who joined since', () => {
		const step = advance(cursor, stretchOf([[five, three], [two]], { isFromTop: false }));
		expect(step.isCertain).toBe(false);
		expect(step.cursor.lookBack).toEqual({ ids: ['5', '3'], from: 20 * SECOND });
	});

	it('of the lower ones alone leaves those of the same instant above to be read again', () => {
		const together = cursorOf({
			top: 40 * SECOND,
			known: [
				['5', 40 * SECOND],
				['4', 40 * SECOND],
				['3', 30 * SECOND],
				['2', 20 * SECOND],
			],
			lookBack: { ids: ['5', '4', '3'], from: 20 * SECOND },
		});
		const step = advance(together, stretchOf([[four, three], [two]], { isFromTop: false }));
		expect(step.cursor.lookBack?.ids).toEqual(['5']);
	});

	it('of nobody above needs none, where all was seen for certain', () => {
		const first = cursorOf({ top: 20 * SECOND, known: [['2', 20 * SECOND]] });
		const parts = { isFromTop: false, isGapless: true };
		const step = advance(first, stretchOf([[four, three], [two]], parts));
		expect(step.isCertain).toBe(true);
		expect(step.cursor.lookBack).toBeUndefined();
	});

	it('of those far below keeps all above', () => {
		const step = advance(cursor, stretchOf([[member(8, 15)], [two]], { isFromTop: false }));
		expect(step.isCertain).toBe(false);
		expect(step.cursor.lookBack).toEqual({ ids: ['4', '3', '8'], from: 20 * SECOND });
	});
});

describe('who needs no finding', () => {
	it('was read for certain before, or was there before the trigger', () => {
		const cursor = cursorOf({
			top: 30 * SECOND,
			floor: 15 * SECOND,
			known: [
				['3', 30 * SECOND],
				['2', 20 * SECOND],
			],
			lookBack: { ids: ['3'], from: 20 * SECOND },
		});
		const records = [member(4, 40), member(3, 30), member(2, 20), member(1, 10)];
		expect(records.map(settledBy(cursor, records))).toEqual([false, false, true, true]);
	});
});
