import { ListingSizes } from '../../nodes/shared/paging/listingSizes.ts';

const listing = (path: string, qs = {}) => ({ method: 'GET' as const, path, qs });

it('keeps the number of pages of each listing for prefetching, by its path and filters', () => {
	const sizes = new ListingSizes();
	expect(sizes.of(listing('/users'))).toBeUndefined();
	sizes.note(listing('/users'), 7);
	sizes.note(listing('/users', { q: 'ann' }), 2);
	sizes.note(listing('/tags'), 3);
	sizes.note(listing('/users'), 8);
	expect(sizes.of(listing('/users'))).toBe(8);
	expect(sizes.of(listing('/users', { q: 'ann' }))).toBe(2);
	expect(sizes.of(listing('/tags'))).toBe(3);
});

it('drops a listing that has shrunk to one page', () => {
	const sizes = new ListingSizes();
	sizes.note(listing('/users'), 7);
	sizes.note(listing('/users'), 1);
	expect(sizes.of(listing('/users'))).toBeUndefined();
});

it('keeps the hundred most recent listings', () => {
	const sizes = new ListingSizes();
	for (let number = 0; number < 100; number++) sizes.note(listing(`/${number}`), 2);
	sizes.note(listing('/0'), 3);
	expect(sizes.of(listing('/1'))).toBe(2);
	sizes.note(listing('/100'), 2);
	const known = (number: number) => sizes.of(listing(`/${number}`)) !== undefined;
	expect([0, 1, 2, 100].map(known)).toEqual([true, false, true, true]);
});
