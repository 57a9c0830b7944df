import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { Memory } from '../../nodes/CommunityPlatform/people/memory.ts';
import { matchesOf, Search } from '../../nodes/CommunityPlatform/people/search.ts';
import { Failure } from '../../nodes/shared/failure.ts';
import type { ApiRequest, HttpAnswer } from '../../nodes/shared/transport/index.ts';
import { range } from '../support/community.mts';
import { turns } from '../support/turns.mts';

interface Member {
	user_id: number;
	msid: string;
	username: string;
	email: string;
	user_status: number;
	/** Whether the member is unchanged since they joined, so that a search cannot miss them. */
	isPlain: boolean;
}

const NAMES = range(1, 6).map((at) => `name${at}`);
const STATUSES = [10, 10, 10, 4, 0, -3];

/** The community in the API's list, the newest member first. */
class Community {
	members: Member[] = [];
	/** How many turns of the event loop each answer takes. */
	delays: number[] = [];
	unreadable = new Set<number>();
	private last = 0;

	join(user_status: number, name?: string): Member {
		const user_id = ++this.last;
		const member = {
			user_id,
			msid: `${user_id}.s${user_id}`,
			username: name ?? `member${user_id}`,
			email: `${name ?? `member${user_id}`}@x.example`,
			user_status,
			isPlain: true,
		};
		this.members.unshift(member);
		return member;
	}

	async send({ path, qs = {} }: ApiRequest): Promise<HttpAnswer> {
		await turns(this.delays.shift() ?? 0);
		const [, , id] = path.split('/');
		if (id !== undefined) return this.read(id);
		const listed = this.members.filter((each) => each.user_status === qs.status);
		const from = (Number(qs.page) - 1) * 50;
		const body = listed.slice(from, from + 50).map((each) => ({ ...each, email: undefined }));
		const headers = { has_more: from + 50 < listed.length ? '1' : '0' };
		return { statusCode: 200, headers, body };
	}

	private read(id: string): HttpAnswer {
		const member = this.members.find(({ msid }) => msid === id);
		if (!member) throw new Failure('gone', '', { httpCode: 404 });
		if (this.unreadable.has(member.user_id)) throw new Failure('no', '', { httpCode: 403 });
		return { statusCode: 200, headers: {}, body: { ...member } as IDataObject };
	}
}

type Step = (community: Community, known: Memory) => void | Promise<void>;

const name = fc.constantFrom(...NAMES);
const position = fc.nat(200);
const at = ({ members }: Community, place: number) => members[place % members.length];

const join = fc.record({ status: fc.constantFrom(...STATUSES), name: fc.option(name) }).map(
	({ status, name: username }): Step =>
		(community) =>
			void community.join(status, username ?? undefined),
);
const manyJoin = fc.nat(70).map((count): Step => (community) => {
	for (let joined = 0; joined < count; joined++) community.join(10);
});
const leave = position.map((place): Step => (community) => {
	if (community.members.length > 1) community.members.splice(place % community.members.length, 1);
});
const change = fc
	.record({ place: position, status: fc.constantFrom(...STATUSES), name })
	.map(({ place, status, name: username }): Step => (community) => {
		const member = at(community, place);
		Object.assign(member, { isPlain: false });
		if (place % 2) member.user_status = status;
		else Object.assign(member, { username: username, email: `${username}@x.example` });
	});
const hide = position.map((place): Step => (community) => {
	const { user_id } = at(community, place);
	if (!community.unreadable.delete(user_id)) community.unreadable.add(user_id);
	Object.assign(at(community, place), { isPlain: false });
});

let now = 0;
beforeEach(() => {
	jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
	jest.mocked(performance.now).mockRestore();
});
const wait = fc.constantFrom(1, 11).map((minutes): Step => () => {
	now += minutes * 60_000;
});

/** The invariants of every search, with any remembered members. */
function check(found: Member[], having: Member[]): void {
	// No member without the name is found.
	expect(having).toEqual(expect.arrayContaining(found));
	const plain = having.filter((each) => each.isPlain);
	if (plain.length > 0) expect(found.length).toBeGreaterThan(0);
	const [{ user_status: status = 0 } = {}] = found;
	for (const each of plain) {
		// The first status decides, at least among unchanged members.
		if (found.every(({ isPlain }) => isPlain)) expect(each.user_status).toBeLessThanOrEqual(status);
	}
}

const search = fc
	.record({
		by: fc.constantFrom('username' as const, 'email' as const),
		names: fc.uniqueArray(fc.oneof(name, fc.constant('nobody')), { minLength: 1 }),
	})
	.map(({ by, names }): Step => async (community, known) => {
		const searching = new Search(community, known, () => {});
		const texts = names.map((each) => (by === 'email' ? `${each}@x.example` : each));
		const queries = texts.map((text) => searching.seek(by, text));
		await searching.run();
		for (const each of queries) {
			const ids = matchesOf(each).map(({ userId }) => Number(userId));
			const found = community.members.filter(({ user_id }) => ids.includes(user_id));
			expect(found).toHaveLength(ids.length);
			const having = community.members.filter((member) => member[by] === each.text);
			check(found, having);
		}
	});

const steps = fc.oneof(
	{ weight: 4, arbitrary: search },
	{ weight: 3, arbitrary: join },
	...[manyJoin, leave, change, hide, wait].map((arbitrary) => ({ weight: 1, arbitrary })),
);

const start = fc.array(fc.oneof({ weight: 30, arbitrary: fc.constant(undefined) }, name), {
	minLength: 1,
	maxLength: 160,
	size: 'max',
});

it("no search finds a member by another one's name, or misses a member", async () => {
	await fc.assert(
		fc.asyncProperty(start, fc.array(steps, { maxLength: 14 }), async (names, story) => {
			const [community, known] = [new Community(), new Memory()];
			for (const username of names) community.join(10, username);
			for (const step of story) await step(community, known);
		}),
		{ numRuns: 200 },
	);
});

const STORIES = 200;

it('no search misses a member whom another execution with the same key reads at the same time', async () => {
	const twoLists = fc.tuple(
		...[1, 2].map(() => fc.uniqueArray(fc.oneof(name, fc.constant('nobody')), { minLength: 1 })),
	);
	const delays = fc.array(fc.nat(9), { maxLength: 400, size: 'max' });
	await fc.assert(
		fc.asyncProperty(start, twoLists, delays, async (names, lists, taken) => {
			const [community, known] = [new Community(), new Memory()];
			for (const username of names) community.join(10, username);
			community.delays = taken;
			await Promise.all(
				lists.map(async (list) => {
					const searching = new Search(community, known, () => {});
					const queries = list.map((each) => searching.seek('email', `${each}@x.example`));
					await searching.run();
					for (const each of queries) {
						const having = community.members.filter(({ email }) => email === each.text);
						check(
							having.filter(({ user_id }) => each.matches.has(String(user_id))),
							having,
						);
						expect(matchesOf(each)).toHaveLength(Math.min(having.length, each.matches.size));
					}
				}),
			);
		}),
		{ numRuns: STORIES },
	);
});
