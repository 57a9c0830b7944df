import type { Community, Profile } from '../community.mts';
import { FIRST_USER_ID, type Role } from '../records.mts';
import { HISTORY_MINUTES, minutesIn } from './time.mts';
import { FIRST_NAMES, LAST_NAMES } from './words.mts';

const ROLES: Role[] = [
	{ role_id: 1, role_name: 'Admin', role_details: 'Runs the community', is_default: false },
	{ role_id: 5, role_name: 'Moderator', role_details: 'Keeps boards tidy', is_default: false },
	{ role_id: 10, role_name: 'Member', role_details: null, is_default: true },
	{ role_id: 21, role_name: 'Contributor', role_details: 'Posts regularly', is_default: false },
	{ role_id: 22, role_name: 'Champion', role_details: 'Helps others a lot', is_default: false },
	{ role_id: 23, role_name: 'Mentor', role_details: 'Welcomes newcomers', is_default: false },
	{ role_id: 24, role_name: 'Event Host', role_details: null, is_default: false },
];

export function seedRoles(community: Community): void {
	for (const role of ROLES) community.roles.set(role.role_id, { ...role });
}

/** Adds the caller, an admin, and members of every status, most of them active. */
export function seedMembers(community: Community): void {
	const { random } = community;
	const { members } = community.options;
	const caller = community.addUser({
		first_name: 'Robin',
		last_name: 'Keeper',
		username: 'robinkeeper',
		email: 'robin.keeper@members.example',
		role_id: 1,
		created_at: minutesIn(community, 0),
		login_count: 240,
		user_description: 'Looks after the community and its integrations.',
	});
	community.callerId = caller.user_id;
	for (let index = 1; index < members; index++) {
		const first_name = random.pick(FIRST_NAMES);
		const last_name = random.pick(LAST_NAMES);
		const handle = handleOf(first_name, last_name, index);
		const activity = Math.floor(random.next() ** 4 * 120);
		community.addUser({
			first_name,
			middle_name: random.chance(0.1) ? random.pick(FIRST_NAMES) : null,
			last_name: random.chance(0.95) ? last_name : null,
			username: handle,
			email: `${handle}@members.example`,
			user_avatar: random.chance(0.7) ? `https://images.example/avatars/${index}.png` : null,
			role_id: roleOf(index, random.next()),
			is_bot: index === 7,
			user_status: statusOf(index, random.next()),
			created_at: joinedAt(community, index),
			// Not random, because that would change the members after it.
			banner: index % 5 === 0 ? `https://images.example/banners/${index}.png` : null,
			social_media_links: index % 4 === 0 ? { linkedin: `https://example.com/${handle}` } : null,
			user_description: random.chance(0.3) ? `<p>Hello, I am ${first_name}.</p>` : null,
			meta: random.chance(0.2) ? { source: random.pick(['invite', 'import', 'form']) } : null,
			login_count: activity * 3 + random.below(20),
			post_count: activity,
			comment_count: Math.floor(activity * 2 * random.next()),
			reply_count: Math.floor(activity * random.next()),
			lang: random.chance(0.8) ? 'en' : 'de',
			timezone: random.chance(0.6) ? 'UTC' : 'Europe/Berlin',
		});
	}
}

/** A person who is not a member yet, with a name like those of the members. */
export function newcomer(community: Community): Profile {
	const { random } = community;
	const first_name = random.pick(FIRST_NAMES);
	const last_name = random.pick(LAST_NAMES);
	const user_id = community.nextId('user', FIRST_USER_ID);
	const username = handleOf(first_name, last_name, user_id);
	return { user_id, first_name, last_name, username, email: `${username}@members.example` };
}

function handleOf(first_name: string, last_name: string, number: number): string {
	const handle = `${first_name}${last_name}${number}`.normalize('NFD');
	return handle.replace(/\P{ASCII}/gu, '').toLowerCase();
}

function roleOf(index: number, chance: number): number {
	if (index <= 2) return 1;
	if (index <= 10) return 5;
	return chance < 0.9 ? 10 : chance < 0.95 ? 21 : chance < 0.98 ? 23 : 24;
}

/** Every status except DELETED occurs. Staff are active, and each other status occurs early. */
function statusOf(index: number, chance: number): number {
	const rare = [6, 5, 4, 0, -3];
	if (index <= 10) return 10;
	if (index <= 15) return rare[index - 11];
	return chance < 0.8 ? 10 : rare[Math.floor(((chance - 0.8) / 0.2) * rare.length)];
}

/**
 * Join times are spread over the history, more and more densely, as in a community that grows. Every tenth member joined
 * in the same second as the previous one.
 */
function joinedAt(community: Community, index: number): string {
	const position = index % 10 === 0 ? index - 1 : index;
	const ahead = 1 - position / community.options.members;
	return minutesIn(community, (1 - ahead ** 1.5) * HISTORY_MINUTES);
}
