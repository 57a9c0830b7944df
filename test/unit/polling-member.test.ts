import { fullIdOf, idOf, joinedAt } from '../../nodes/CommunityPlatformPollingTrigger/member.ts';

describe('the identity of a member', () => {
	it('is the user_id in every form of a user', () => {
		expect(idOf({ user_id: 7 })).toBe('7');
		expect(idOf({ user_id: 7, msid: '7.abc' })).toBe('7');
	});

	it('is in full the msid, where that is shown', () => {
		expect(fullIdOf({ user_id: 7, msid: '7.abc' })).toBe('7.abc');
		expect(fullIdOf({ user_id: 7 })).toBe('7');
	});
});

describe('when a member joined', () => {
	it('is read in milliseconds since 1970', () => {
		expect(joinedAt({ created_at: '1970-01-01T00:01:00.000Z' })).toBe(60_000);
		expect(joinedAt({ created_at: '1970-01-01T00:00:00.000Z' })).toBe(0);
	});

	it('is unknown where there is no time, no date in it, or no member', () => {
		expect(joinedAt({ user_id: 7 })).toBeUndefined();
		expect(joinedAt({ created_at: null })).toBeUndefined();
		expect(joinedAt({ created_at: 'yesterday' })).toBeUndefined();
		expect(joinedAt(undefined)).toBeUndefined();
	});
});
