import { Registry } from '../../nodes/shared/transport/registry';
import { apiStateFor } from '../../nodes/shared/transport/state';
import { collectGarbage } from '../support/garbage.mts';

const CALLER = { baseUrl: 'https://one.example.com', sourceSystem: 'n8n' };

describe('what is shared by the requests to one API', () => {
	const mine = apiStateFor(CALLER);

	it.each([
		['another source system', { sourceSystem: 'other' }, { limiter: false, locks: true }],
		['another community', { baseUrl: 'https://two.example.com' }, { limiter: false, locks: false }],
		['the same', {}, { limiter: true, locks: true }],
	])('with %s', (_, change, shared) => {
		const other = apiStateFor({ ...CALLER, ...change });
		expect({
			limiter: other.limiter === mine.limiter,
			locks: other.locks === mine.locks,
		}).toEqual(shared);
	});
});

describe('a registry', () => {
	it('gives one value for a key as long as something holds it, however idle it is', async () => {
		const registry = new Registry(
			() => ({}),
			() => true,
		);
		const held = registry.get('a');
		for (let key = 0; key < 50; key++) registry.get(String(key));
		await collectGarbage();
		registry.get('e');
		expect(registry.get('a')).toBe(held);
	});

	it('drops idle values that no caller holds, and keeps those in use', async () => {
		let made = 0;
		const idle = new Set<number>();
		const registry = new Registry(
			() => ({ number: ++made }),
			({ number }) => idle.has(number),
		);
		const numbers = () => ['a', 'b'].map((key) => registry.get(key).number);
		expect(numbers()).toEqual([1, 2]);
		idle.add(1);
		for (let key = 0; key < 50; key++) registry.get(String(key));
		await collectGarbage();
		for (let key = 50; key < 150; key++) registry.get(String(key));
		const [first, second] = numbers();
		expect(first).toBeGreaterThan(50);
		expect(second).toBe(2);
	});
});
