import fc from 'fast-check';
import { NameIndex } from '../../nodes/CommunityPlatform/execute/names/nameIndex.ts';
import { Nearest } from '../../nodes/CommunityPlatform/execute/names/nearest.ts';
import type { NamedKind } from '../../nodes/shared/names.ts';
import { NAMED, foldName } from '../../nodes/shared/names.ts';

function near(typed: string, names: string[], most = 3): string[] {
	const nearest = new Nearest(typed.toLowerCase(), most);
	for (const name of names) nearest.offer(name.toLowerCase(), name);
	return nearest.names;
}

describe('suggestions for a name', () => {
	const ROLES = ['Admin', 'Moderator', 'Champion', 'Member', 'Guest'];

	it.each([
		['Champoin', ['Champion']],
		['Champions', ['Champion']],
		['champ', ['Champion']],
		['Moderatorr', ['Moderator']],
		['Mod', ['Moderator']],
		['Admn', ['Admin']],
		['Members of the board', []],
		['Astronaut', []],
		['A', []],
		['', []],
	])('of %j are %j', (typed, expected) => {
		expect(near(typed, ROLES)).toEqual(expected);
	});

	it('begin with those of which the typed name is a part, the shortest first', () => {
		const names = ['Howdy', 'How we build', 'How To', 'Know-How', 'Hew To'];
		expect(near('how', names)).toEqual(['Howdy', 'How To', 'Know-How']);
	});

	it('are sorted by the letters to change', () => {
		expect(near('summer21', ['summer99', 'summer22', 'simmer22'])).toEqual([
			'summer22',
			'simmer22',
			'summer99',
		]);
	});

	it('name each text once', () => {
		const nearest = new Nearest('champion', 3);
		nearest.offer('champoins', 'Champion');
		nearest.offer('champions', 'Champion');
		nearest.offer('champions', 'Champion');
		expect(nearest.names).toEqual(['Champion']);
	});

	it('compare long names by their beginnings', () => {
		const [long, other] = ['a'.repeat(90), 'b'.repeat(90)];
		expect(near(`${long}!`, [other, `${long}?`])).toEqual([`${long}?`]);
		expect(near('x'.repeat(100_000), [...ROLES, 'x'.repeat(60)])).toEqual([]);
	});

	it('are the first of all that are close, in whatever order they come', () => {
		const name = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 3, maxLength: 9 });
		fc.assert(
			fc.property(name, fc.array(name, { maxLength: 30 }), (typed, names) => {
				expect(near(typed, names)).toEqual(near(typed, names, Infinity).slice(0, 3));
			}),
		);
	});

	// Levenshtein's distance as it is defined, without any bound.
	const distance = (a: string, b: string): number => {
		if (a === '' || b === '') return Math.max(a.length, b.length);
		const rest = distance(a.slice(1), b.slice(1));
		if (a[0] === b[0]) return rest;
		return 1 + Math.min(rest, distance(a.slice(1), b), distance(a, b.slice(1)));
	};

	it('are all names with a third of the letters different at most, and no other', () => {
		const name = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'c'), maxLength: 7 });
		fc.assert(
			fc.property(name, name, (typed, other) => {
				const longer = Math.max(typed.length, other.length);
				const isClose = distance(typed, other) <= Math.floor(longer / 3);
				const isPart =
					(typed.length >= 3 && other.includes(typed)) ||
					(other.length >= 3 && typed.includes(other) && 2 * other.length >= typed.length);
				const nearest = new Nearest(typed, 3);
				nearest.offer(other, other);
				expect(nearest.names).toEqual(isClose || isPart ? [other] : []);
			}),
			{ numRuns: 2000 },
		);
	});
});

describe('the index of names', () => {
	const value = fc.oneof(
		{
			weight: 8,
			arbitrary: fc.string({
				unit: fc.constantFrom('a', 'B', ' ', '\u00a0', 'é', 'e\u0301', '#', '1'),
				maxLength: 4,
			}),
		},
		{ weight: 1, arbitrary: fc.constantFrom(null, undefined, 1, true) },
	);
	const kinds = Object.keys(NAMED) as NamedKind[];

	it('finds what going through all records finds', () => {
		const records = fc.array(fc.tuple(value, value), { maxLength: 12 });
		fc.assert(
			fc.property(fc.constantFrom(...kinds), records, value, (kind, names, typed) => {
				const { idField, nameFields } = NAMED[kind];
				const all = names.map((of, at) => ({
					[idField]: at + 1,
					...Object.fromEntries(nameFields.map((field, index) => [field, of[index]])),
				}));
				const index = new NameIndex(kind);
				for (const record of all) index.add(record);
				const fold = (name: unknown) => foldName(name, kind === 'tag');
				const isShown = (name: unknown) => name !== null && name !== undefined;
				for (const wanted of [typed, ...names.flat()].map(String)) {
					const found = all.filter((record) =>
						nameFields.some(
							(field) => isShown(record[field]) && fold(record[field]) === fold(wanted),
						),
					);
					expect(index.find(fold(wanted)).map(({ id }) => id)).toEqual(
						found.map((record) => String(record[idField])),
					);
				}
			}),
		);
	});
});
