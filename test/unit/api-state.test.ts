import { Registry } from '../../nodes/shared/api/registry';
import { apiStateFor } from '../../nodes/shared/api/state';
import { collectGarbage } from '../support/garbage.mts';

const CALLER = { baseUrl: 'https://one.example.com', sourceSystem: 'n8n', apiKey: 'key-1' };

describe('what is shared by the requests to one API', () => {
	const mine = apiStateFor(CALLER);

	it.each([
		[
			'another source system',
			{ sourceSystem: 'other' },
			{ limiter: false, turns: true, pages: false },
		],
		['another key', { apiKey: 'key-2' }, { limiter: true, turns: true, pages: false }],
		[
			'another community',
			{ baseUrl: 'https://two.example.com' },
			{ limiter: false, turns: false, pages: false },
		],
		['the same', {}, { limiter: true, turns: true, pages: true }],
	])('with %s', (_, change, shared) => {
		const other = apiStateFor({ ...CALLER, ...change });
		expect({
			limiter: other.limiter === mine.limiter,
			turns: other.turns === mine.turns,
			pages: other.pages === mine.pages,
		}).toEqual(shared);
		expect(other.listingSizes === mine.listingSizes).toBe(shared.pages);
	});
});

describe('a registry', () => {
	it('gives one value for a key as long as something holds it, however idle it is', async () => {
		const registry = new Registry(
			() => ({}),
			() => true,
		);
		const held = registry.get('a');
		for (const key of ['b', 'c', 'd']) registry.get(key);
		await collectGarbage();
		registry.get('e');
		expect(registry.get('a')).toBe(held);
	});

	it('forgets what is idle and held by nothing, and keeps what is in use', async () => {
		let made = 0;
		const idle = new Set<number>();
		const registry = new Registry(
			() => ({ number: ++made }),
			({ number }) => idle.has(number),
		);
		const numbers = () => ['a', 'b'].map((key) => registry.get(key).number);
		expect(numbers()).toEqual([1, 2]);
		idle.add(1);
		registry.get('another');
		await collectGarbage();
		expect(numbers()).toEqual([4, 2]);
	});
});
