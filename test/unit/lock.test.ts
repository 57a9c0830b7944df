import fc from 'fast-check';
import { KeyedLock, type Lock } from '../../nodes/shared/async/lock.ts';

async function take(lock: Lock, work: () => Promise<void>): Promise<void> {
	await lock.ready;
	await work();
	lock.release();
}

/** Whether the lock is ready after a short time. */
async function hasCome(lock: Lock): Promise<boolean> {
	let isReady = false;
	void lock.ready?.then(() => (isReady = true));
	for (let tick = 0; tick < 50; tick++) await Promise.resolve();
	return isReady;
}

it('admits callers with the same key one after another, in the order of entering', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 }),
			fc.scheduler(),
			async (keys, scheduler) => {
				const locks = new KeyedLock();
				const inside = new Map<string, number>();
				const order: number[] = [];
				const working = keys.map((key, index) =>
					take(locks.acquire(key), async () => {
						inside.set(key, (inside.get(key) ?? 0) + 1);
						expect(inside.get(key)).toBe(1);
						order.push(index);
						await scheduler.schedule(Promise.resolve());
						inside.set(key, 0);
					}),
				);
				await scheduler.waitFor(Promise.all(working));
				for (const wanted of ['a', 'b', 'c']) {
					const own = order.filter((index) => keys[index] === wanted);
					expect(own).toEqual([...own].sort((a, b) => a - b));
				}
				expect(order).toHaveLength(keys.length);
				await scheduler.waitFor(Promise.resolve());
				expect(locks.size).toBe(0);
			},
		),
	);
});

it('keeps the order of callers if a lock is released before it was held', async () => {
	const locks = new KeyedLock();
	const first = locks.acquire('a');
	locks.acquire('a').release();
	const third = locks.acquire('a');
	expect(await hasCome(third)).toBe(false);
	first.release();
	await third.ready;
	third.release();
	third.release();
});

it('admits one waiting caller even if a lock is released twice', async () => {
	const locks = new KeyedLock();
	const [first, second, third] = [locks.acquire('a'), locks.acquire('a'), locks.acquire('a')];
	first.release();
	first.release();
	await second.ready;
	expect(await hasCome(third)).toBe(false);
	second.release();
	await third.ready;
});
