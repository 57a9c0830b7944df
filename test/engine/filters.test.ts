import type { INodeParameters } from 'n8n-workflow';
import type { User } from '../../sandbox/records.mts';
import { byId, pagesAsked, range, useSandbox } from '../support/community.mts';
import { runNode } from '../support/engine.mts';
import { action } from '../support/operations.mts';

const sandbox = useSandbox({ members: 160 });

const list = (filters: INodeParameters, more: INodeParameters = {}): INodeParameters =>
	action('user.getAll', { filters, returnAll: true, ...more });
const all = () => [...sandbox.community.users.values()];
const msidsOf = (members: readonly User[]) => members.map(({ msid }) => msid);
const newestFirst = (members: readonly User[]) =>
	members.toSorted((a, b) => b.created_at.localeCompare(a.created_at));

async function msids(parameters: INodeParameters) {
	const { items, error } = await runNode(sandbox, parameters);
	if (error) throw error;
	return items.map(({ json }) => String(json.msid));
}

describe('the filter Role of Get Many', () => {
	const withRole = (roleId: number) =>
		sandbox.community.members(10, 'user_id', 'desc').filter(({ role_id }) => role_id === roleId);
	const rareRole = () => {
		const [, last] = [...sandbox.community.roles.keys()];
		for (const member of sandbox.community.members(10, 'user_id', 'desc').slice(60, 64)) {
			sandbox.community.changeUser(member.msid, { role_id: last });
		}
		return last;
	};

	it('keeps the members with the role, by ID or by name', async () => {
		const roleId = rareRole();
		const name = sandbox.community.roles.get(roleId)?.role_name ?? '';
		expect(await msids(list({ roleId: byId(roleId) }))).toEqual(msidsOf(withRole(roleId)));
		const byName = { __rl: true, mode: 'name', value: name } as never;
		expect(await msids(list({ roleId: byName }))).toEqual(msidsOf(withRole(roleId)));
	});

	it('reads one list for items with different roles', async () => {
		const roles = [...sandbox.community.roles.keys()];
		const items = [...roles, roles[0]].map((role) => ({ role }));
		const parameters = list({ roleId: byId('={{ $json.role }}') }, { simplify: false });
		const { items: found } = await runNode(sandbox, parameters, { items });
		expect(pagesAsked(sandbox)).toEqual([1, 2, 3]);
		for (const [at, { role }] of items.entries()) {
			const own = found.filter(({ pairedItem }) => (pairedItem as { item: number }).item === at);
			expect(own.map(({ json }) => json.msid)).toEqual(msidsOf(withRole(role)));
		}
	});

	it('continues until enough members match for the limit', async () => {
		const roleId = rareRole();
		const wanted = msidsOf(withRole(roleId)).slice(0, 3);
		const returned = await msids(list({ roleId: byId(roleId) }, { returnAll: false, limit: 3 }));
		expect(returned).toEqual(wanted);
	});
});

describe('the filter Joined After of Get Many', () => {
	it('lists the newest first, down to a page of older members', async () => {
		const members = newestFirst(sandbox.community.members(10, 'joined', 'desc'));
		const joinedAfter = members[60].created_at;
		expect(await msids(list({ joinedAfter }, { options: { maxRequestsAtOnce: 1 } }))).toEqual(
			msidsOf(members.filter(({ created_at }) => created_at >= joinedAfter)),
		);
		expect(pagesAsked(sandbox)).toEqual([1, 2, 3]);
	});

	it('returns to each item records of its own from a list that several items share', async () => {
		const items = ['2000-01-01', '2001-01-01'].map((since) => ({ since }));
		const parameters = list({ joinedAfter: '={{ $json.since }}' }, { simplify: false });
		const { items: found } = await runNode(sandbox, parameters, { items });
		expect(pagesAsked(sandbox)).toEqual([1, 2, 3]);
		expect(new Set(found.map(({ json }) => json.msid)).size).toBe(found.length / 2);
		expect(new Set(found.map(({ json }) => json)).size).toBe(found.length);
	});

	it('leaves the order to Sort', async () => {
		const members = newestFirst(sandbox.community.members(10, 'joined', 'desc'));
		const kept = members.filter(({ created_at }) => created_at >= members[60].created_at);
		const sort = { sortBy: 'user_id', order: 'asc' };
		const parameters = list({ joinedAfter: members[60].created_at }, { sort });
		const sorted = kept.toSorted((a, b) => a.user_id - b.user_id);
		expect(await msids(parameters)).toEqual(msidsOf(sorted));
		const { items } = await runNode(sandbox, { ...parameters, returnAll: false, limit: 7 });
		expect(items.map(({ json }) => json.msid)).toEqual(msidsOf(sorted.slice(0, 7)));
	});

	it('finds all, even if members who were approved late are listed among newer ones', async () => {
		const members = newestFirst(sandbox.community.members(10, 'joined', 'desc'));
		const moved = [...members.slice(0, 2), members[40], ...members.slice(2, 40)];
		const listed = [...moved, ...members.slice(41)];
		const spy = jest.spyOn(sandbox.community, 'members').mockReturnValue(listed);
		sandbox.faults.add({ kind: 'shortPages', keep: 1 });
		const returned = await msids(list({ joinedAfter: members[4].created_at }));
		spy.mockRestore();
		expect(returned).toEqual(msidsOf(members.slice(0, 5)));
	});

	const notInMs = ['20260131120000', '1769860800000000'];
	it.each(['last week', '2026-01-31 01:30 PM', '2026-01-31T25:00Z', ...notInMs])(
		'that is not a time is refused before any request: %s',
		async (joinedAfter) => {
			const { error } = await runNode(sandbox, list({ joinedAfter }));
			expect(error?.message).toBe(`'${joinedAfter}' is not a time`);
			expect(sandbox.requests.total).toBe(0);
		},
	);

	it.each<[string, (time: string) => string | number]>([
		['a number of milliseconds', (time) => Date.parse(time)],
		['a space in the middle, without a zone', (time) => time.replace('T', ' ').replace('Z', '')],
		['UTC at the end', (time) => time.replace('T', ' ').replace('Z', ' UTC')],
		[
			'another zone',
			(time) => new Date(Date.parse(time) + 7_200_000).toISOString().replace('Z', '+02:00'),
		],
	])('accepts a time with %s', async (_, written) => {
		const members = newestFirst(sandbox.community.members(10, 'joined', 'desc'));
		const joinedAfter = written(members[4].created_at);
		const returned = await msids(list({ joinedAfter: `={{ ${JSON.stringify(joinedAfter)} }}` }));
		expect(returned).toEqual(msidsOf(members.slice(0, 5)));
	});
});

describe('a time without a zone in Joined After and Joined Before', () => {
	const joinedAt = (...times: string[]) => {
		const members = sandbox.community.members(10, 'user_id', 'desc').slice(0, times.length);
		members.forEach(({ msid }, at) =>
			Object.assign(sandbox.community.user(msid), { created_at: times[at] }),
		);
		return msidsOf(members);
	};
	const between = async (joinedAfter: string, joinedBefore: string, timezone: string) => {
		const { items, error } = await runNode(sandbox, list({ joinedAfter, joinedBefore }), {
			timezone,
		});
		expect(error).toBeUndefined();
		return items.map(({ json }) => json.msid);
	};

	it.each([
		['a time', '2035-07-01T12:00', '2035-07-01T13:00', '2035-07-01T10:00', '2035-07-01T10:59:59.9'],
		['a date', '2035-07-01', '2035-07-02', '2035-06-30T22:00', '2035-07-01T21:59:59'],
		['a day of 23 hours', '2035-03-25', '2035-03-26', '2035-03-24T23:00', '2035-03-25T21:59:59'],
		['a day of 25 hours', '2035-10-28', '2035-10-29', '2035-10-27T22:00', '2035-10-28T22:59:59'],
		[
			'a time with a zone',
			'2035-07-01T12:00Z',
			'2035-07-01T13:00Z',
			'2035-07-01T12:00',
			'2035-07-01T12:59:59',
		],
	])('is in the time zone of the workflow: %s', async (_, after, before, first, last) => {
		// Times from the API without a zone are in UTC.
		const [one, other] = joinedAt(first, last, '2035-01-01T00:00:00Z', '2035-12-01T00:00:00Z');
		expect(await between(after, before, 'Europe/Berlin')).toEqual([other, one]);
		const times = [first, last].map((time) => Date.parse(`${time}Z`));
		joinedAt(new Date(times[0] - 1).toISOString(), new Date(times[1] + 1000).toISOString());
		expect(await between(after, before, 'Europe/Berlin')).toEqual([]);
	});

	it('is refused if that time zone does not exist', async () => {
		const timezone = 'Europe/Atlantis';
		const { error } = await runNode(sandbox, list({ joinedAfter: '2035-07-01' }), { timezone });
		expect(error?.message).toBe("'2035-07-01' is not a time");
	});
});

it('Joined Before keeps earlier members, with Joined After those in between, from any page', async () => {
	const members = newestFirst(sandbox.community.members(10, 'joined', 'desc'));
	const { created_at: joinedBefore } = members[69];
	const earlier = members.filter(({ created_at }) => created_at < joinedBefore);
	expect(new Set(await msids(list({ joinedBefore })))).toEqual(new Set(msidsOf(earlier)));
	const { created_at: joinedAfter } = members[105];
	expect(await msids(list({ joinedAfter, joinedBefore }))).toEqual(
		msidsOf(earlier.filter(({ created_at }) => created_at >= joinedAfter)),
	);
});

describe('the filter Name Contains of Get Many', () => {
	beforeEach(() => {
		const [one, other] = sandbox.community.members(10, 'user_id', 'asc');
		sandbox.community.changeUser(one.msid, { username: 'xquentinx' });
		sandbox.community.changeUser(other.msid, { first_name: 'Ann-QU\u00c9NTIN' });
	});

	it.each(['quentin', ' QUENTIN ', 'que\u0301ntin', ' @Quentin'])(
		'matches the username and the first name, ignoring case and accents: %s',
		async (nameContains) => {
			const [one, other] = sandbox.community.members(10, 'user_id', 'asc');
			const found = [other.msid, one.msid];
			expect(await msids(list({ nameContains }))).toEqual(found);
			const limited = list({ nameContains }, { returnAll: false, limit: 1 });
			expect(await msids(limited)).toEqual([other.msid]);
		},
	);

	it.each([
		['Zoltan Vega', 'zoltanvega78', 'Z'],
		['@zoltan @vega', 'vega', 'Zoltan'],
		['lukasz gross', 'x', 'Łukasz Groß'],
		['ØSTBY aesa', 'aesa', 'Ostby'],
		['dorde irem isil', 'x', 'Đorđe İrem Işıl'],
	])('matches each word in common spellings: %s', async (nameContains, username, first_name) => {
		const [one] = sandbox.community.members(10, 'user_id', 'asc');
		sandbox.community.changeUser(one.msid, { username, first_name });
		expect(await msids(list({ nameContains }))).toEqual([one.msid]);
	});

	it.each(['@', ' @@ ', '\u0301'])('is refused where nothing is left: %j', async (nameContains) => {
		const { error } = await runNode(sandbox, list({ nameContains }));
		expect(error?.message).toContain('cannot be part of a name');
		expect(sandbox.requests.total).toBe(0);
	});

	it('counts them', async () => {
		const filters = { nameContains: 'quentin' };
		const { items } = await runNode(sandbox, action('user.getCount', { filters }));
		expect(items[0].json.count).toBe(2);
	});
});

describe('Get Count', () => {
	it('counts by ID if the key is not allowed to list roles', async () => {
		sandbox.faults.add({ kind: 'status', status: 403, path: '/api/v1/roles' });
		const { items, hints } = await runNode(sandbox, { resource: 'user', operation: 'getCount' });
		const { count, by_role: byRole } = items[0].json as { count: number; by_role: object };
		expect(Object.keys(byRole)).toContain('10');
		expect(Object.values(byRole).reduce((sum, each) => sum + Number(each), 0)).toBe(count);
		expect(hints).toEqual([expect.stringContaining('Only active members')]);
	});

	it('counts the filtered members, in total and by role', async () => {
		const counted = all();
		const { items } = await runNode(
			sandbox,
			action('user.getCount', { filters: { status: 'all' } }),
		);
		const byRole: Record<string, number> = {};
		for (const { role_id } of counted) {
			const name = sandbox.community.roles.get(role_id)?.role_name ?? '';
			byRole[name] = (byRole[name] ?? 0) + 1;
		}
		expect(items.map(({ json }) => json)).toEqual([{ count: counted.length, by_role: byRole }]);
		expect(new Set(pagesAsked(sandbox))).toEqual(
			new Set(range(1, Math.max(...pagesAsked(sandbox)))),
		);
	});
});

describe.each<[what: string, filters: INodeParameters, field: object]>([
	['role', { roleId: byId(10) }, { role_id: 10 }],
	['join time', { joinedAfter: '2024-05-01' }, { created_at: '2024-05-02T00:00:00Z' }],
	['join time', { joinedBefore: '2024-06-01' }, { created_at: '2024-05-02T00:00:00Z' }],
])('a list in which a member lacks the %s: %j', (what, filters, field) => {
	const answered = async (...members: object[]) => {
		const text = JSON.stringify(members.map((each, at) => ({ msid: `${9 - at}.a`, ...each })));
		sandbox.faults.add({ kind: 'text', path: '/api/v1/users', text });
		return await runNode(sandbox, list(filters));
	};

	it('leaves the member out', async () => {
		const { items } = await answered(field, {}, field);
		expect(items.map(({ json }) => json.msid)).toEqual(['9.a', '7.a']);
	});

	it('is empty if no other member is listed', async () => {
		expect(await answered({})).toMatchObject({ items: [], error: undefined });
	});

	it.each([
		['none of two', [{}, {}]],
		['only one of twelve, who may be the owner of the key,', [field, ...Array(11).fill({})]],
	])('fails if %s has it', async (_, members) => {
		const { error } = await answered(...members);
		expect(error?.message).toBe(`The owner of the API key cannot see the ${what} of members`);
	});
});
