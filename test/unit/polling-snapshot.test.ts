import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { changesOf } from '../../nodes/CommunityPlatformPollingTrigger/changed.ts';
import { membersIn, takeSnapshot } from '../../nodes/CommunityPlatformPollingTrigger/snapshot.ts';

const ALL = ['role', 'status', 'username', 'name', 'left'];

const name = fc.option(fc.oneof(fc.string(), fc.string({ unit: 'binary' })));
const members = fc
	.uniqueArray(
		fc.record({
			user_id: fc.integer({ min: 1, max: 1e9 }),
			username: name,
			first_name: name,
			role_id: fc.option(fc.integer({ min: 1, max: 99 })),
			user_status: fc.constantFrom(10, 6, 5, 4, 0, -3),
		}),
		{ selector: ({ user_id }) => user_id, minLength: 1 },
	)
	.map((records): IDataObject[] =>
		records.map((each) => ({
			...each,
			msid: `${each.user_id}.${(each.user_id * 7919).toString(16)}`,
		})),
	);

const byKey = (records: IDataObject[]) =>
	new Map(records.map((each) => [String(each.user_id), each]));

describe('Snapshot of members', () => {
	it('recognizes unchanged members after the snapshot has passed through JSON', () => {
		fc.assert(
			fc.property(members, (records) => {
				const kept = membersIn(JSON.parse(JSON.stringify(takeSnapshot(records))))?.members;
				expect([...(kept?.keys() ?? [])].sort()).toEqual([...byKey(records).keys()].sort());
				expect(changesOf(kept!, byKey(records), ALL)).toEqual([]);
				for (const { user_id, msid, role_id } of records) {
					expect(kept?.get(String(user_id))).toMatchObject({ user_id, msid, role_id });
				}
			}),
		);
	});

	it('takes the same snapshot for any order of the members, without half characters', () => {
		fc.assert(
			fc.property(members, (records) => {
				const { members: text } = takeSnapshot(records);
				expect(takeSnapshot([...records].reverse()).members).toBe(text);
				expect(text).not.toMatch(/\p{Cs}/u);
			}),
		);
	});

	it.each([undefined, null, 'text', {}, { members: 5 }, { members: '' }, { members: '0a\tb' }])(
		'refuses a damaged snapshot: %j',
		(value) => expect(membersIn(value)).toBeUndefined(),
	);
});

describe('Comparison of members', () => {
	const before = {
		user_id: 1,
		msid: '1.a',
		username: 'ada',
		first_name: 'Ada',
		role_id: 5,
		user_status: 10,
	};
	const compared = (now: IDataObject) =>
		changesOf(byKey([before]), byKey([{ ...before, ...now }]), ALL);

	it.each([
		[{ role_id: 6, username: 'ada' }, ['role']],
		[{ role_id: '5', user_status: '10' }, []],
		[{ role_id: undefined, username: null, first_name: '' }, []],
		[{ username: 'Ada', first_name: 'Eve' }, ['username', 'name']],
	])('compares a member with %j and finds %j', (now, changed) => {
		expect(compared(now as IDataObject).flatMap((each) => each.changed)).toEqual(changed);
	});

	it('does not report a previously unknown value as a change', () => {
		const unknown = byKey([{ ...before, role_id: null, first_name: null }]);
		expect(changesOf(unknown, byKey([before]), ALL)).toEqual([]);
	});
});
