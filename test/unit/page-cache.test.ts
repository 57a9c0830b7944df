import fc from 'fast-check';
import { PageCache } from '../../nodes/shared/paging/pageCache.ts';
import type { Page } from '../../nodes/shared/paging/page.ts';

type Step =
	| { kind: 'ask'; key: string; number: number; fails: boolean }
	| { kind: 'open'; key: string }
	| { kind: 'wait'; ms: number };

const keys = fc.constantFrom('a', 'b');
const numbers = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(100, 101));
const steps = fc.array(
	fc.oneof<fc.Arbitrary<Step>[]>(
		fc.record({
			kind: fc.constant('ask' as const),
			key: keys,
			number: numbers,
			fails: fc.integer({ min: 0, max: 4 }).map((chance) => chance === 0),
		}),
		fc.record({ kind: fc.constant('open' as const), key: keys }),
		fc.record({
			kind: fc.constant('wait' as const),
			ms: fc.constantFrom(1, 1000, 10_000, 29_999, 30_000),
		}),
	),
	{ maxLength: 60, size: 'max' },
);

it('gives pages of the last half minute, and requests the others', async () => {
	const seen = { kept: 0, asked: 0 };
	await fc.assert(
		fc.asyncProperty(steps, async (all) => {
			let now = 0;
			let version = 0;
			const cache = new PageCache(() => now);
			/** By listing and page: when it was asked for, and which version that gave. */
			const model = new Map<string, { at: number; version: number }>();
			for (const step of all) {
				if (step.kind === 'wait') now += step.ms;
				if (step.kind === 'open') {
					cache.listing(step.key, true);
					for (const id of [...model.keys()]) if (id.startsWith(step.key)) model.delete(id);
				}
				if (step.kind !== 'ask') continue;
				const { key, number, fails } = step;
				const listing = cache.listing(key);
				const id = `${key}${number}`;
				const known = model.get(id);
				const expected = known && now - known.at < 30_000 ? known.version : undefined;
				const answer = listing.get(number, async () => {
					if (fails) throw new TypeError('refused');
					return { records: [{ version: ++version }] };
				});
				if (expected !== undefined) {
					seen.kept++;
					expect(await answer).toEqual({ records: [{ version: expected }] });
				} else if (fails) await expect(answer).rejects.toThrow('refused');
				else {
					seen.asked++;
					expect(await answer).toEqual({ records: [{ version }] });
					if (number <= 100) model.set(id, { at: now, version });
					listing.read(number);
				}
				const upTo = [1, 2, 3, 4].map((page) => {
					const kept = model.get(`${key}${page}`);
					return kept !== undefined && now - kept.at < 30_000;
				});
				for (const page of [0, 1, 2, 3, 4]) {
					expect(listing.hasUpTo(page)).toBe(upTo.slice(0, page).every(Boolean));
				}
			}
		}),
		{ numRuns: 300 },
	);
	// Both cases occurred, or the property would prove less than it says.
	expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});

it('keeps the ten most recent listings', async () => {
	const cache = new PageCache(() => 0);
	let asked = 0;
	const want = async (key: string) =>
		await cache.listing(key).get(1, async () => ({ records: [{ asked: ++asked }] }));
	for (let index = 0; index < 11; index++) await want(`listing ${index}`);
	await want('listing 1');
	expect(asked).toBe(11);
	await want('listing 0');
	expect(asked).toBe(12);
	await want('listing 1');
	expect(asked).toBe(12);
	await want('listing 2');
	expect(asked).toBe(13);
});

describe('callers of a page that is in flight', () => {
	const PAGE: Page = { records: [], hasMore: false };

	it('share the request', async () => {
		const listing = new PageCache(() => 0).listing('a');
		const ask = jest.fn(async () => PAGE);
		const [one, other] = await Promise.all([listing.get(1, ask), listing.get(1, ask)]);
		expect(one).toBe(other);
		expect(ask).toHaveBeenCalledTimes(1);
	});

	it('request it themselves when the first request fails', async () => {
		const listing = new PageCache(() => 0).listing('a');
		const stopped = listing.get(1, async () => {
			throw new TypeError('stopped');
		});
		const ask = jest.fn(async () => PAGE);
		const others = Promise.all([listing.get(1, ask), listing.get(1, ask)]);
		await expect(stopped).rejects.toThrow('stopped');
		expect(await others).toEqual([PAGE, PAGE]);
		expect(ask).toHaveBeenCalledTimes(1);
	});

	it('keep a later page when an older request fails', async () => {
		let now = 0;
		const listing = new PageCache(() => now).listing('a');
		let fail: (reason: Error) => void = () => {};
		const old = listing.get(1, async () => await new Promise((_, reject) => (fail = reject)));
		now = 30_000;
		const ask = jest.fn(async () => PAGE);
		await listing.get(1, ask);
		fail(new TypeError('too late'));
		await expect(old).rejects.toThrow('too late');
		await listing.get(1, ask);
		expect(ask).toHaveBeenCalledTimes(1);
	});

	it('find it when it came after its caller had gone, even when the list is reloaded', async () => {
		const cache = new PageCache(() => 0);
		await cache.listing('a').get(1, async () => PAGE);
		const ask = jest.fn(async () => PAGE);
		await cache.listing('a', true).get(1, ask);
		expect(ask).not.toHaveBeenCalled();
		cache.listing('a').read(1);
		await cache.listing('a', true).get(1, ask);
		expect(ask).toHaveBeenCalledTimes(1);
	});
});
