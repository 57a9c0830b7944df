import axios from 'axios';
import type { Community } from '../../../sandbox/community.mts';
import type { Sandbox } from '../../../sandbox/server.mts';

/** A role that a member is to get. */
export interface Update {
	msid: string;
	role_id: number;
}

/** What one execution has to do. */
export interface Part {
	number: number;
	updates: Update[];
}

/**
 * Plans a batch: every member gets another role than now, and not all get the same one, so that a role
 * that reaches the wrong member shows.
 *
 * @param count of updates; at most as many as there are members beside the API's caller
 * @param size of a part
 */
export function planBatch(community: Community, count: number, size: number): Part[] {
	const roles = [...community.roles.keys()];
	const members = [...community.users.values()].filter(
		({ user_id }) => user_id !== community.callerId,
	);
	if (members.length < count) throw new Error(`There are only ${members.length} members`);
	const updates = members.slice(0, count).map(({ msid, role_id }, index) => {
		const others = roles.filter((id) => id !== role_id);
		return { msid, role_id: others[index % others.length] };
	});
	return Array.from({ length: Math.ceil(count / size) }, (_, index) => ({
		number: index + 1,
		updates: updates.slice(index * size, (index + 1) * size),
	}));
}

/**
 * Posts a part to the workflow that takes parts.
 *
 * @throws on any answer but 200, which says that the execution is stored
 */
export async function sendPart(url: string, { number, updates }: Part): Promise<void> {
	await axios.post(url, { part: number, updates }, { proxy: false, timeout: 60_000 });
}

/**
 * The updates that the community has carried out, in their order, of all workers, also where the answer was lost.
 */
export function appliedUpdates({ requests }: Sandbox): Update[] {
	return requests
		.matching('PATCH', '/api/v1/users/')
		.filter(({ carriedOut }) => carriedOut)
		.map(({ path, body }) => ({
			msid: memberOf(path),
			role_id: (body as { data: { role_id: number } }).data.role_id,
		}));
}

/** Whether a request of a part is on its way right now. */
export function isBeingApplied({ requests }: Sandbox, { updates }: Part): boolean {
	const members = new Set(updates.map(({ msid }) => msid));
	return requests
		.matching('PATCH', '/api/v1/users/')
		.some(({ path, endedAt }) => endedAt === null && members.has(memberOf(path)));
}

function memberOf(path: string): string {
	return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
}

/** How often each update of a batch was carried out, and updates that no batch asked for. */
export interface Tally {
	times: (update: Update) => number;
	strange: Update[];
}

/** Compares what was carried out with what was planned. */
export function tally(parts: Part[], applied: Update[]): Tally {
	const key = ({ msid, role_id }: Update) => `${msid} ${role_id}`;
	const planned = new Set(parts.flatMap(({ updates }) => updates.map(key)));
	const counts = new Map<string, number>();
	for (const update of applied) counts.set(key(update), (counts.get(key(update)) ?? 0) + 1);
	return {
		times: (update) => counts.get(key(update)) ?? 0,
		strange: applied.filter((update) => !planned.has(key(update))),
	};
}
