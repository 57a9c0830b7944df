import type { IDataObject } from 'n8n-workflow';
import type { Clock } from './clock.mts';

export interface Member {
	userId: number;
	sid: string;
	username: string;
	email: string;
	firstName: string;
	description: string;
	avatar: string;
	roleId: number;
	status: number;
	/** Milliseconds of the story. Negative if the member joined before it. */
	joinedAt: number;
	/** The account was deleted, or is hidden from the owner of the key: in no list, and 404 if read. */
	isGone: boolean;
	/** The status with which the API answers a read of this member alone. Undefined if it can be read. */
	unreadable?: number;
}

export type MemberField = Exclude<keyof Member, 'userId' | 'sid' | 'joinedAt' | 'unreadable'>;

/** A change of a member's field. `by` names the execution, or is "admin". */
export interface Change {
	at: number;
	msid: string;
	field: MemberField;
	from: unknown;
	to: unknown;
	by: string;
}

export interface Board {
	id: number;
	name: string;
	members: Set<string>;
}

export interface Tag {
	id: number;
	name: string;
	displayName: string;
	description: string;
	ogTitle: string;
}

export interface Post {
	id: number;
	boardId: number;
	headline: string;
	content: string;
	author: string;
}

export const ROLES = ['Member', 'Champion', 'Moderator', 'Admin'].map((name, at) => ({
	role_id: at + 1,
	role_name: name,
}));

export const msidOf = ({ userId, sid }: Pick<Member, 'userId' | 'sid'>) => `${userId}.${sid}`;

/** The data of a community in memory, with all earlier values of its members. */
export class Community {
	readonly members: Member[] = [];
	readonly changes: Change[] = [];
	readonly boards: Board[] = [];
	readonly tags: Tag[] = [];
	readonly posts: Post[] = [];

	constructor(private readonly clock: Clock) {
		for (const id of [1, 2, 3]) this.boards.push({ id, name: `Board ${id}`, members: new Set() });
		for (const name of ['Welcome', 'HowTo']) this.addTag(name, '');
	}

	/** Adds a member who joined so many milliseconds ago. */
	join(member: Partial<Member> = {}, agoMs = 0): Member {
		const userId = member.userId ?? Math.max(0, ...this.members.map((each) => each.userId)) + 1;
		const joined: Member = {
			userId,
			sid: `s${userId}`,
			username: `u${userId}`,
			email: `u${userId}@x.io`,
			firstName: `First ${userId}`,
			description: '',
			avatar: `https://x.io/${userId}.png`,
			roleId: 1,
			status: 10,
			joinedAt: this.clock.now - agoMs,
			isGone: false,
			...member,
		};
		this.members.push(joined);
		return joined;
	}

	change<F extends MemberField>(member: Member, field: F, to: Member[F], by: string): void {
		const from = member[field];
		this.changes.push({ at: this.clock.now, msid: msidOf(member), field, from, to, by });
		member[field] = to;
	}

	addTag(name: string, description: string, ogTitle = ''): Tag {
		const id = this.tags.length + 1;
		const tag = { id, name: name.toLowerCase(), displayName: name, description, ogTitle };
		this.tags.push(tag);
		return tag;
	}

	/** Returns the member with an ID. A number alone names the member who has it now. */
	find(id: string): Member | undefined {
		return id.includes('.')
			? this.members.find((each) => msidOf(each) === id)
			: this.members.findLast((each) => String(each.userId) === id && !each.isGone);
	}

	/** Returns a copy of a member as of a time. Undefined for one who had not joined by then. */
	asOf(member: Member, time: number): Member | undefined {
		if (time >= this.clock.now) return member;
		if (member.joinedAt > time) return undefined;
		const copy: Record<string, unknown> = { ...member };
		const later = this.changes.filter(({ at, msid }) => at > time && msid === msidOf(member));
		for (const { field, from } of later.reverse()) copy[field] = from;
		return copy as unknown as Member;
	}

	/** Returns the values that a member's field had at some moment between two times. */
	valuesBetween(msid: string, field: MemberField, from: number, to: number): unknown[] {
		const member = this.find(msid);
		const changes = this.changes.filter((each) => each.msid === msid && each.field === field);
		const values: unknown[] = [];
		let value: unknown = changes[0] ? changes[0].from : member?.[field];
		let since = -Infinity;
		for (const change of [...changes, { at: Infinity, to: undefined }]) {
			if (since <= to && change.at >= from) values.push(value);
			value = change.to;
			since = change.at;
		}
		return values;
	}

	/** Returns the changes of a member's field between two times that someone else than `by` made. */
	foreign(
		msid: string,
		field: MemberField,
		from: number,
		to: number,
		isOwn: (by: string) => boolean,
	) {
		return this.changes.filter(
			(each) =>
				each.msid === msid &&
				each.field === field &&
				each.at >= from &&
				each.at <= to &&
				!isOwn(each.by),
		);
	}
}

/** A member as in a list. */
export function listed(member: Member, date: (at: number) => number): IDataObject {
	return {
		user_id: member.userId,
		sid: member.sid,
		msid: msidOf(member),
		username: member.username,
		user_avatar: member.avatar,
		first_name: member.firstName,
		role_id: member.roleId,
		user_status: member.status,
		created_at: new Date(date(member.joinedAt)).toISOString(),
	};
}

/** A member as read alone. */
export function detailed(member: Member, date: (at: number) => number): IDataObject {
	return {
		...listed(member, date),
		is_bot: false,
		user_description: member.description,
		meta: {},
		login_count: 1,
		post_count: 0,
		comment_count: 0,
		reply_count: 0,
	};
}
