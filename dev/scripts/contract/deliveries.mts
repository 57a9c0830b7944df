const member = { user_id: 7, sid: 'ab', msid: '7.ab', first_name: 'Ada' };
const joined = { event: 'member.joined', job_id: 42, entities: { user: [member] } };

/** Bodies that a community may send to the webhook trigger, by what they show. */
export const DELIVERIES: Record<string, unknown> = {
	'a member who joined': joined,
	'a member on the wait-list': { ...joined, event: 'member.joined_waitlist' },
	'several members': { ...joined, entities: { user: [member, { ...member, msid: '8.ab' }] } },
	'a member without fields': { ...joined, entities: { user: [{}] } },
	'a job_id as text': { ...joined, job_id: '42' },
	'no job_id': { ...joined, job_id: undefined },
	'fields that are not documented': { ...joined, sent_at: 1 },
	'an event that is not documented': { ...joined, event: 'badge.given' },
	'another kind of entity': { ...joined, event: 'post.created', entities: { post: [{ id: 3 }] } },
	'no entities of a kind': { ...joined, event: 'post.created', entities: { post: [] } },
	'an event about nothing': { ...joined, event: 'community.opened', entities: {} },
};
