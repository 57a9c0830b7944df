import { Community } from '../../sandbox/community.mts';

const options = { seed: 1, members: 430, now: () => new Date('2026-02-03T04:05:06.789Z') };
const KINDS = ['boards', 'users', 'roles', 'posts', 'comments', 'replies', 'tags'] as const;

/** All records of a community, as text. */
const dump = (community: Community) =>
	JSON.stringify([
		...KINDS.map((kind) => [...community[kind].values()]),
		[...community.boardMembers].map(([id, members]) => [id, [...members]]),
		[...community.tagMappings].map(([key, ids]) => [key, [...ids]]),
	]);

it('is the same every time, and different with another seed', () => {
	const first = dump(new Community(options));
	expect(dump(new Community({ ...options, now: () => new Date(0) }))).toBe(first);
	expect(dump(new Community({ ...options, seed: 2 }))).not.toBe(first);
});
