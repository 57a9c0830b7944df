import type { IDataObject } from 'n8n-workflow';
import { USER_STATUS_CODE } from '../../../shared/records/codes';
import { user } from '../../../shared/records/types';
import { identifierOf, recordKey } from '../../../shared/records/identity';
import { nameKey, type PersonKey } from '../../input/identifiers';

const MAX_MEMBERS_KNOWN = 100_000;

/** A member as last listed or read. Usernames and addresses are as `nameKey` compares them, undefined if not shown. */
export interface KnownMember {
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

/** How far a search has listed the members of a status. */
export interface Listed {
	status: number;
	/** From the newest on. */
	members: KnownMember[];
	/** Whether some who joined after those listed before may still be missing. */
	hasNewer: boolean;
	isAtEnd: boolean;
}

/**
 * The members that searches with one API key have seen. A search uses them to choose which to read, never as an answer.
 * So an entry can be out of date and need not expire (docs/decisions.md, A18).
 */
export class KnownMembers {
	/** By user_id. */
	private readonly members = new Map<string, KnownMember>();
	/** By status, the members who were listed from the newest on, without a gap: the ID of each by the user_id. */
	private readonly lists = new Map<number, Map<string, string>>();
	/** The statuses that were listed to the end. */
	private readonly complete = new Set<number>();

	all(): KnownMember[] {
		return [...this.members.values()];
	}

	/**
	 * Notes a member as listed or, with the time, as read.
	 *
	 * @param listedAs the status, unless the record shows it as a number
	 * @returns undefined if the record has no identifier, or the account was deleted
	 */
	note(record: IDataObject, listedAs: number, readAt?: number): KnownMember | undefined {
		const [userId, id] = [recordKey(record, user), identifierOf(record, user)];
		if (userId === undefined || id === undefined) return undefined;
		const known = this.members.get(userId);
		const shown = Number(record.user_status ?? NaN);
		const status = Number.isNaN(shown) ? listedAs : shown;
		if (known && known.status !== status) this.lists.get(known.status)?.delete(userId);
		this.forget(userId);
		if (status === USER_STATUS_CODE.DELETED) return undefined;
		// A different msid is another account. With another status, more may have changed since the member was read.
		const isSame = readAt === undefined && known?.id === id && known.status === status;
		const keyOf = (by: PersonKey) => (record[by] ? nameKey(by, record[by]) : undefined);
		const member = {
			userId,
			id,
			status,
			username: keyOf('username'),
			email: keyOf('email') ?? (isSame ? known.email : undefined),
			readAt: isSame ? known.readAt : readAt,
		};
		if (this.members.size === MAX_MEMBERS_KNOWN) {
			for (const each of [this.members, this.lists, this.complete]) each.clear();
		}
		this.members.set(userId, member);
		return member;
	}

	forget(userId: string): void {
		this.members.delete(userId);
	}

	hasList(status: number): boolean {
		return this.lists.has(status);
	}

	/** Whether a member was listed before. If the last one of a page was, all who follow were. */
	isListed(status: number, member?: KnownMember): boolean {
		return member !== undefined && this.lists.get(status)?.get(member.userId) === member.id;
	}

	/** Notes the members of a status who were listed from the newest on: to the end, or to those listed before. */
	noteList({ status, members, isAtEnd, hasNewer }: Listed): void {
		const before = isAtEnd ? [] : (this.lists.get(status) ?? []);
		const listed = members.map(({ userId, id }): [string, string] => [userId, id]);
		if (isAtEnd) this.complete.add(status);
		if (isAtEnd || !hasNewer) this.lists.set(status, new Map([...before, ...listed]));
	}

	countListed(statuses: number[]): number {
		return statuses.reduce((sum, status) => sum + (this.lists.get(status)?.size ?? 0), 0);
	}

	/** Whether all members of a status, except those who joined since, were read at a time or later. */
	isReadSince(status: number, time: number): boolean {
		const wasRead = (userId: string) => (this.members.get(userId)?.readAt ?? -Infinity) >= time;
		return this.complete.has(status) && [...(this.lists.get(status)?.keys() ?? [])].every(wasRead);
	}
}

const knownByCaller = new Map<string, KnownMembers>();

/** The members known to this process, of a community and an API key, both named by `caller`. */
export function knownMembersOf(caller: string): KnownMembers {
	const known = knownByCaller.get(caller) ?? new KnownMembers();
	knownByCaller.set(caller, known);
	return known;
}
