import {
	differences,
	membersAfterPromotion,
	membersNow,
	roleChanges,
} from '../../dev/n8n/promotion.mts';
import { Community } from '../../sandbox/community.mts';

const INACTIVE = 0;
const roles = { admin: 1, moderator: 5, member: 10, champion: 22 };
let community: Community;

beforeEach(() => {
	community = new Community({ seed: 1, members: 1, now: () => new Date('2026-01-01') });
});

const addMember = (profile: object) =>
	community.addUser({ first_name: 'Ida', post_count: 25, role_id: roles.member, ...profile });
const after = (before = membersNow(community)) => membersAfterPromotion(community, before);

describe('who has to be promoted', () => {
	it('takes active members from 25 posts on', () => {
		const enough = addMember({});
		addMember({ post_count: 24 });
		addMember({ user_status: INACTIVE });
		const changes = roleChanges(community, membersNow(community), after());
		expect(changes.map(({ member, from, to }) => [member.msid, from, to])).toEqual([
			[enough.msid, 'Member', 'Champion'],
		]);
	});

	it.each([roles.admin, roles.moderator, roles.champion])('leaves role %i alone', (role_id) => {
		addMember({ role_id });
		expect(roleChanges(community, membersNow(community), after())).toEqual([]);
	});
});

describe('what differs', () => {
	it('is nothing when the members are what was expected', () => {
		const { msid } = addMember({});
		const expected = after();
		community.promote(msid, roles.champion);
		expect(differences(expected, membersNow(community))).toEqual([]);
	});

	it('names a promotion that did not happen, and one that should not have', () => {
		const due = addMember({});
		const early = addMember({ post_count: 3 });
		const expected = after();
		community.promote(early.msid, roles.champion);
		expect(differences(expected, membersNow(community))).toEqual([
			`member ${due.msid}: role_id is 10 instead of 22`,
			`member ${early.msid}: role_id is 22 instead of 10`,
		]);
	});

	it('names any other field that changed, and members who came or went', () => {
		const [changed, gone] = [addMember({ lang: 'de' }), addMember({})];
		const expected = after();
		community.changeUser(changed.msid, { lang: 'en', role_id: roles.champion });
		community.removeUser(gone.msid);
		const came = addMember({});
		expect(differences(expected, membersNow(community))).toEqual([
			`member ${changed.msid}: lang is "en" instead of "de"`,
			`member ${gone.msid} is gone`,
			`member ${came.msid} should not be there`,
		]);
	});

	it('does not see a picture change with the community', () => {
		const { msid } = addMember({});
		const before = membersNow(community);
		community.promote(msid, roles.champion);
		expect(before.get(msid)?.role_id).toBe(roles.member);
	});
});
