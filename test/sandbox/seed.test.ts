import { Community } from '../../sandbox/community.mts';

const NOW = '2026-02-03T04:05:06.789Z';
const DAY_MS = 24 * 60 * 60 * 1000;
const KINDS = ['boards', 'users', 'roles', 'posts', 'comments', 'replies', 'tags'] as const;

function make({ seed = 1, members = 430, now = NOW } = {}): Community {
	return new Community({ seed, members, now: () => new Date(now) });
}

/** All records of a community, as text. */
const dump = (community: Community) =>
	JSON.stringify([
		...KINDS.map((kind) => [...community[kind].values()]),
		[...community.boardMembers].map(([id, members]) => [id, [...members]]),
		[...community.tagMappings].map(([key, ids]) => [key, [...ids]]),
	]);

const TIME = /"\d{4}-\d\d-\d\dT[\d:.]+Z"/g;
const timesIn = (records: string) => records.match(TIME) ?? [];

it('is the same every time, and different with another seed', () => {
	const first = dump(make());
	expect(dump(make())).toBe(first);
	expect(dump(make({ seed: 2 }))).not.toBe(first);
});

it('differs only in its times if it starts at another time, and each by the same span', () => {
	const [first, later] = [dump(make()), dump(make({ now: '2026-06-11T04:05:59.999Z' }))];
	expect(later.replace(TIME, '')).toBe(first.replace(TIME, ''));
	const before = timesIn(first);
	const spans = timesIn(later).map(
		(time, index) => Date.parse(JSON.parse(time)) - Date.parse(JSON.parse(before[index])),
	);
	expect(new Set(spans)).toEqual(new Set([128 * DAY_MS]));
});

it.each([60, 120, 430, 5000])(
	'of %i members, some joined in each of the last months, in the order of their IDs',
	(members) => {
		const community = make({ members });
		const now = Date.parse(NOW);
		const ages = [...community.users.values()].map(
			({ created_at }) => (now - Date.parse(created_at)) / DAY_MS,
		);
		expect(ages).toEqual([...ages].sort((a, b) => b - a));
		const joined = (from: number, to: number) =>
			ages.filter((days) => days >= from && days < to).length;
		expect(joined(0, 7)).toBeGreaterThanOrEqual(4);
		expect(joined(0, 7)).toBeLessThan(members / 10);
		for (let month = 0; month < 12; month++) {
			expect(joined(month * 30.5, (month + 1) * 30.5)).toBeGreaterThan(0);
		}
		const latest = Math.max(
			...timesIn(dump(community)).map((time) => Date.parse(JSON.parse(time))),
		);
		expect(latest).toBeLessThanOrEqual(now);
	},
);
