import type { IDataObject } from 'n8n-workflow';
import { USER_STATUS_CODE } from '../../shared/records/codes';
import { user } from '../../shared/records/types';
import { identifierOf, recordKey } from '../../shared/records/identity';
import { nameKey, type MemberKey } from '../input/identifiers';

const { DELETED } = USER_STATUS_CODE;
const MAX_MEMBERS_KNOWN = 100_000;

/** A member as last listed or read. Usernames and addresses are as `nameKey` compares them, undefined if not shown. */
export interface RememberedMember {
	userId: string;
	/** The msid, or else the user_id. */
	id: string;
	status: number;
	username?: string;
	/** As last read, because a list does not contain it. */
	email?: string;
	/** When the member was last read, by a clock that never goes back. Undefined if the member was only listed. */
	readAt?: number;
}

/**
 * The members that searches with one API key have seen. A search uses them to choose which to read, never as an answer.
 * So an entry can be out of date and need not expire (docs/decisions.md, A18).
 */
export class Memory {
	/** By user_id. */
	private readonly members = new Map<string, RememberedMember>();
	/** The user_ids of members who had a name, by its `nameKey`. */
	private readonly userIds = new Map<string, Set<string>>();

	all(): RememberedMember[] {
		return [...this.members.values()];
	}

	/** Returns the members who had a name when last seen, or before. */
	having(key: string): RememberedMember[] {
		return [...(this.userIds.get(key) ?? [])].flatMap((userId) => this.members.get(userId) ?? []);
	}

	/**
	 * Notes a member as listed or, with the time, as read.
	 *
	 * @param listedAs the status, unless the record shows it as a number
	 * @returns undefined if the record has no identifier, or the account was deleted
	 */
	note(record: IDataObject, listedAs: number, readAt?: number): RememberedMember | undefined {
		const [userId, id] = [recordKey(record, user), identifierOf(record, user)];
		if (userId === undefined || id === undefined) return undefined;
		const before = this.members.get(userId);
		const status = statusOf(record) ?? listedAs;
		this.forget(userId);
		if (status === DELETED) return undefined;
		// A different msid is another account. With another status, more may have changed since the member was read.
		const isSame = readAt === undefined && before?.id === id && before.status === status;
		const lastRead = isSame ? before : undefined;
		const keyOf = (by: MemberKey) => (record[by] ? nameKey(by, record[by]) : undefined);
		const username = keyOf('username');
		const email = keyOf('email') ?? lastRead?.email;
		const member = { userId, id, status, username, email, readAt: readAt ?? lastRead?.readAt };
		this.add(member);
		return member;
	}

	private add(member: RememberedMember): void {
		const { userId, username, email } = member;
		if (this.members.size === MAX_MEMBERS_KNOWN) {
			for (const each of [this.members, this.userIds]) each.clear();
		}
		this.members.set(userId, member);
		for (const key of [username, email]) {
			if (key) this.userIds.set(key, (this.userIds.get(key) ?? new Set<string>()).add(userId));
		}
	}

	forget(userId: string): void {
		this.members.delete(userId);
	}
}

// The API may write the status as a word.
function statusOf({ user_status: status }: IDataObject): number | undefined {
	return Number.isNaN(Number(status ?? NaN)) ? undefined : Number(status);
}

const FORGET_AFTER_MS = 24 * 3_600_000;
const memories = new Map<string, { memory: Memory; usedAt: number }>();

/**
 * The members known to this process, of a community and an API key, both named by `caller`. Those of a key that no
 * execution has used for a day are dropped.
 */
export function memoryOf(caller: string, now = performance.now()): Memory {
	for (const [key, { usedAt }] of memories) {
		if (now - usedAt >= FORGET_AFTER_MS) memories.delete(key);
	}
	const { memory } = memories.get(caller) ?? { memory: new Memory() };
	memories.set(caller, { memory, usedAt: now });
	return memory;
}
