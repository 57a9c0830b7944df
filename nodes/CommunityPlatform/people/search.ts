import { sleep, type IDataObject } from 'n8n-workflow';
import { Failure, isDeclined } from '../../shared/failure';
import { user, userList } from '../../shared/records/types';
import { pages } from '../../shared/pagination';
import { USER_STATUSES, USER_STATUS_CODE } from '../../shared/records/codes';
import { MAX_PAGE_SIZE, READ, type Sender } from '../../shared/transport';
import { nameKey, type MemberKey } from '../input/identifiers';
import { dispatchAll } from '../../shared/async/pace';
import type { RememberedMember, Memory } from './memory';

const { ACTIVE, DELETED } = USER_STATUS_CODE;
/** In the order of the search, which is their order as numbers. The first one in which a member has a name decides. */
export const STATUSES = USER_STATUSES.filter((status) => status !== DELETED);
/** How long, in milliseconds, a member who was read counts as unchanged while the search looks for others. */
const READ_AGAIN_AFTER_MS = 10 * 60_000;

/** What one search has covered. */
export interface SearchScope {
	/** The statuses that were listed to the end. */
	statuses: Set<number>;
	/** The members who were listed, by user_id. */
	members: Set<string>;
	/** How many members could not be read. */
	unread: number;
	/** The error that ended the search early. */
	error?: unknown;
}

/** A username or an email address that items name. */
export interface NameQuery {
	by: MemberKey;
	text: string;
	/** By user_id, the members who have it in a record that the search has listed or read. */
	matches: Map<string, RememberedMember>;
	/** Whether the matches are final. */
	isFinal: boolean;
	searchScope: SearchScope;
}

/**
 * Finds the members of a run by username or email address. The API cannot search for these, and shows an address only
 * when a single member is read. So the search lists the members, the newest first, and reads those of each page, except
 * for those read by an earlier search (docs/decisions.md, A18).
 */
export class Search {
	/** How many members were read to compare their email addresses. */
	readCount = 0;
	private readonly names = new Map<string, NameQuery>();
	private waiting: NameQuery[] = [];
	private running = Promise.resolve();
	/** The names whose matches are not final. */
	private open = new Set<NameQuery>();
	/** The IDs of members to read, because one who cannot be read is tried only once. */
	private tried = new Set<string>();
	private searchScope = emptyScope();
	private freshSince = 0;
	/** Whether some of the listed members were not read a short time ago. */
	private mayHaveMissed = false;

	/** @param onFound called with each record, listed or read, that matches a query */
	constructor(
		private readonly sender: Sender,
		private readonly memory: Memory,
		private readonly onFound: (record: IDataObject, askedAt: number, isRead: boolean) => void,
	) {}

	/** Adds a name to the next search, unless it was looked for before. */
	seek(by: MemberKey, text: string): NameQuery {
		const key = nameKey(by, text);
		const existing = this.names.get(key);
		if (existing) return existing;
		const name = { by, text, matches: new Map(), isFinal: false, searchScope: this.searchScope };
		this.waiting.push(name);
		this.names.set(key, name);
		return name;
	}

	/** Reads the members who had a name when last seen. Returns those who still have it. */
	async recall(by: MemberKey, text: string): Promise<IDataObject[]> {
		const key = nameKey(by, text);
		const { records } = await this.fetch(this.memory.having(key));
		return records.filter((record) => nameKey(by, record[by]) === key);
	}

	/** Looks for all names that were added, once the search under way has ended. Never rejects. */
	async run(): Promise<void> {
		this.running = this.running.then(async () => await this.search());
		await this.running;
	}

	private async search(): Promise<void> {
		// Items that look up names at the same time share a search.
		await sleep(0);
		if (this.waiting.length === 0) return;
		this.open = new Set(this.waiting);
		this.waiting = [];
		this.tried = new Set();
		this.searchScope = emptyScope();
		this.freshSince = performance.now() - READ_AGAIN_AFTER_MS;
		this.mayHaveMissed = false;
		for (const name of this.open) name.searchScope = this.searchScope;
		await this.searchAll().catch((error: unknown) => {
			this.searchScope.error = error;
		});
	}

	private async searchAll(): Promise<void> {
		await this.fetch(this.membersToRecall());
		// First those who were never read: most names belong to members who have just joined.
		await this.searchStatuses(-Infinity);
		// Then also those who were read too long ago, and those who are missing from a list, because a member who left while
		// others were read moved them to an earlier page.
		if (this.isOpen('email') && this.mayHaveMissed) await this.searchStatuses(this.freshSince);
		// Another execution may have read a member since, so this search neither read nor compared them.
		const names = [...this.open].filter(({ matches }) => matches.size === 0);
		const late = names.flatMap(({ by, text }) => {
			const key = nameKey(by, text);
			return this.memory.having(key).filter((member) => member[by] === key);
		});
		await this.fetch(late);
	}

	/** Returns the known members who had the names. Only what the API returns now counts. */
	private membersToRecall(): RememberedMember[] {
		const names = [...this.open];
		// Many usernames are found faster by listing.
		const isByPage = names.filter(({ by }) => by === 'username').length > MAX_PAGE_SIZE;
		return names
			.filter(({ by }) => by === 'email' || !isByPage)
			.flatMap(({ by, text }) => this.memory.having(nameKey(by, text)));
	}

	/** @param readBefore reads only members who were last read before this time; -Infinity: only those never read */
	private async searchStatuses(readBefore: number): Promise<void> {
		for (const status of STATUSES) {
			await this.searchStatus(status, readBefore).catch((error: unknown) => {
				// The owner of this API key cannot list members of this status.
				if (status === ACTIVE || !(error instanceof Failure && isDeclined(error))) throw error;
			});
		}
	}

	/** Lists the members of a status, newest first, and reads those who were not read since, until all names are closed. */
	private async searchStatus(status: number, readBefore: number): Promise<void> {
		const listing = { path: '/users', qs: { sort_by: 'joined', order: 'desc', status } };
		// A name that a known member of this status has stays open for one page: another one may have joined with it.
		this.close(status + 1);
		if (this.open.size === 0) return;
		// By email address, the members of a page are read before the next page is needed. A known name needs only one.
		const isPrefetching = [...this.open].every(
			({ by, matches }) => by === 'username' && matches.size === 0,
		);
		const askedAt = performance.now();
		for await (const page of pages(this.sender, listing, userList, { isPrefetching })) {
			const members = page.records.flatMap((record) => this.see(record, status, askedAt) ?? []);
			for (const { userId } of members) this.searchScope.members.add(userId);
			if (this.isOpen('email')) await this.readAddresses(members, readBefore);
			this.close(status);
			if (this.open.size === 0) return;
		}
		this.searchScope.statuses.add(status);
	}

	private isOpen(by: MemberKey): boolean {
		return [...this.open].some((name) => name.by === by);
	}

	/** Closes the names that a member has whose status is this one, or comes before. */
	private close(status: number): void {
		for (const name of this.open) {
			name.isFinal = [...name.matches.values()].some((match) => match.status >= status);
			if (name.isFinal) this.open.delete(name);
		}
	}

	private async readAddresses(members: RememberedMember[], readBefore: number): Promise<void> {
		const isDue = ({ readAt = -Infinity }: RememberedMember, time: number) => readAt <= time;
		this.mayHaveMissed ||= members.some((each) => isDue(each, this.freshSince));
		const due = members.filter((each) => isDue(each, readBefore) && !this.tried.has(each.id));
		for (const { id } of due) this.tried.add(id);
		this.readCount += due.length;
		this.searchScope.unread += (await this.fetch(due)).unread;
	}

	/** Returns the records of members, and how many could not be read. */
	private async fetch(
		members: RememberedMember[],
	): Promise<{ records: IDataObject[]; unread: number }> {
		const records: IDataObject[] = [];
		const failed: Failure[] = [];
		await dispatchAll(members.length, async (at, cancelled) => {
			const { userId, id, status } = members[at];
			const path = `/users/${encodeURIComponent(id)}`;
			const request = { ...READ, path, expects: { record: user, id } };
			const askedAt = performance.now();
			const answer = await this.sender.send(request, cancelled).catch((error: unknown) => {
				if (!(error instanceof Failure && isOfOne(error))) throw error;
				this.memory.forget(userId);
				failed.push(error);
			});
			if (!answer) return;
			const record = answer.body as IDataObject;
			if (this.see(record, status, askedAt, performance.now())) records.push(record);
		});
		// The server is down, rather than unable to return these members.
		const isDown = failed.length > 1 && failed.length === members.length;
		if (isDown && (failed[0].details.httpCode ?? 0) >= 500) throw failed[0];
		return { records, unread: failed.length };
	}

	/** Notes a member as listed or read, with the open names in this record. */
	private see(
		record: IDataObject,
		listedAs: number,
		askedAt: number,
		readAt?: number,
	): RememberedMember | undefined {
		const member = this.memory.note(record, listedAs, readAt);
		if (!member) return undefined;
		for (const by of ['username', 'email'] as const) {
			const name = record[by] ? this.names.get(nameKey(by, record[by])) : undefined;
			if (!name || !this.open.has(name)) continue;
			name.matches.set(member.userId, member);
			this.onFound(record, askedAt, readAt !== undefined);
		}
		return member;
	}
}

/** Returns the members who have a name, all of one status. Throws the error that ended the search too early. */
export function matchesOf({ matches, isFinal, searchScope }: NameQuery): RememberedMember[] {
	if (!isFinal && searchScope.error !== undefined) throw searchScope.error;
	const all = [...matches.values()].sort((a, b) => b.status - a.status);
	return all.filter(({ status }) => status === all[0].status);
}

function emptyScope(): SearchScope {
	return { statuses: new Set(), members: new Set(), unread: 0 };
}

// The member has left, is not visible to this key, or cannot be returned by the server, which may return another one.
function isOfOne(failure: Failure): boolean {
	const { httpCode = 0 } = failure.details;
	return isDeclined(failure) || [200, 410].includes(httpCode) || httpCode >= 500;
}
