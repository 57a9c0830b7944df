import type { IDataObject } from 'n8n-workflow';
import { Failure, isDeclined } from '../../../shared/failure';
import { user, userList } from '../../../shared/records/types';
import { pages } from '../../../shared/pagination';
import { USER_STATUSES, USER_STATUS_CODE } from '../../../shared/records/codes';
import { toTime } from '../../../shared/text';
import { MAX_PAGE_SIZE, type Sender } from '../../../shared/transport';
import { nameKey, type PersonKey } from '../../input/identifiers';
import { dispatchAll } from '../dispatch';
import type { KnownMember, KnownMembers, Listed } from './known';

const { ACTIVE, DELETED } = USER_STATUS_CODE;
/** In the order of the search, which is their order as numbers. The first one in which a member has a name decides. */
export const STATUSES = USER_STATUSES.filter((status) => status !== DELETED);
/** How long, in milliseconds, a member who was read counts as unchanged while the search looks for others. */
const FRESH_MS = 10 * 60_000;

/** What one search has covered. */
export interface Extent {
	/** The statuses that were searched, and how many members they have. */
	statuses: number[];
	members: number;
	/** How many members could not be read. */
	unread: number;
	/** What ended the search early. */
	obstacle?: unknown;
}

/** A username or an email address that items name. */
export interface SoughtName {
	by: PersonKey;
	text: string;
	/** Whether only known members are looked at. */
	isRecalled: boolean;
	/** Whether a known member still has it. Then only members who joined since can also have it. */
	isKnown: boolean;
	/** By user_id, the members who have it in a record that the search has listed or read. */
	holders: Map<string, KnownMember>;
	/** Whether the holders are final. */
	isFinal: boolean;
	extent: Extent;
}

/** `isFresh`: whether all members who were listed before were read a short time ago. */
type Walk = Listed & { isFresh: boolean };

/**
 * Finds the members of a run by username or email address. The API cannot search for these, and shows an address only
 * when a single member is read. So the search lists the members, the newest first, and reads those of each page, except
 * for those read by an earlier search (docs/decisions.md, A18).
 */
export class MemberSearch {
	/** How many members were read to compare their email addresses. */
	readCount = 0;
	/** When the newest of the members who were seen joined, in milliseconds since 1970. */
	newestAt = -Infinity;
	private readonly names = new Map<string, SoughtName>();
	private waiting: SoughtName[] = [];
	private running = Promise.resolve();
	/** The names whose holders are not final. */
	private open = new Set<SoughtName>();
	/** Listed members who were read too long ago. They are read last. */
	private stale: KnownMember[] = [];
	/** The IDs of members to read, because one who cannot be read is tried only once. */
	private tried = new Set<string>();
	private freshSince = 0;
	private extent: Extent = { statuses: [], members: 0, unread: 0 };

	/** @param onFound called with each record, listed or read, that has a sought name */
	constructor(
		private readonly sender: Sender,
		private readonly known: KnownMembers,
		private readonly onFound: (record: IDataObject, isRead: boolean) => void,
	) {}

	/** Adds a name to the next search, unless it was looked for before. */
	seek(by: PersonKey, text: string, isRecalled = false): SoughtName {
		const key = nameKey(by, text);
		const sought = this.names.get(key);
		if (sought) {
			sought.isRecalled &&= isRecalled;
			return sought;
		}
		const found = { isKnown: false, holders: new Map(), isFinal: false };
		const name: SoughtName = { by, text, isRecalled, ...found, extent: this.extent };
		this.waiting.push(name);
		this.names.set(key, name);
		return name;
	}

	/** Looks for all names that were added, once the search under way has ended. Never rejects. */
	async run(): Promise<void> {
		this.running = this.running.then(async () => await this.search());
		await this.running;
	}

	private async search(): Promise<void> {
		if (this.waiting.length === 0) return;
		this.open = new Set(this.waiting);
		this.waiting = [];
		this.stale = [];
		this.tried = new Set();
		this.freshSince = performance.now() - FRESH_MS;
		this.extent = { statuses: [], members: 0, unread: 0 };
		for (const name of this.open) name.extent = this.extent;
		await this.searchAll().catch((error: unknown) => {
			this.extent.obstacle = error;
		});
		this.extent.members = this.known.countListed(this.extent.statuses);
	}

	private async searchAll(): Promise<void> {
		await this.readKnown();
		for (const status of STATUSES) {
			if (this.open.size === 0) return;
			await this.searchStatus(status).catch((error: unknown) => {
				// The owner of this API key cannot list members of this status.
				if (status === ACTIVE || !(error instanceof Failure && isDeclined(error))) throw error;
			});
		}
		for (let at = 0; at < this.stale.length && this.isOpen('email'); at += MAX_PAGE_SIZE) {
			await this.readAddresses(this.stale.slice(at, at + MAX_PAGE_SIZE));
			this.close({ status: STATUSES[STATUSES.length - 1], hasNewer: false });
		}
	}

	/** Reads the known members who had the names. Only what the API returns now counts. */
	private async readKnown(): Promise<void> {
		// Many usernames are found faster by listing.
		const isByPage = [...this.open].filter(({ by }) => by === 'username').length > MAX_PAGE_SIZE;
		const isSought = (key = '') => this.open.has(this.names.get(key) as SoughtName);
		const had = this.known
			.all()
			.filter(({ username, email }) => isSought(email) || (!isByPage && isSought(username)));
		await this.read(had);
		for (const name of this.open) {
			name.isKnown = name.holders.size > 0;
			if (!name.isRecalled || name.isKnown) continue;
			// The search has not covered all members for it.
			this.open.delete(name);
			this.names.delete(nameKey(name.by, name.text));
		}
	}

	/** Lists the members of a status, newest first, and reads those never read, as far as the open names need it. */
	private async searchStatus(status: number): Promise<void> {
		const { known, extent } = this;
		const isFresh = known.isReadSince(status, this.freshSince);
		const walk: Walk = {
			status,
			isFresh,
			hasNewer: known.hasList(status),
			isAtEnd: false,
			members: [],
		};
		this.close(walk);
		let from: number | undefined = this.isDone(walk) ? undefined : 1;
		if (from === undefined) return;
		while (from !== undefined) from = await this.listFrom(from, walk);
		known.noteList(walk);
		extent.statuses.push(status);
		this.close({ status, hasNewer: false });
	}

	/** Returns a page to list again from: if a member left while others were read, one has moved to a page before. */
	private async listFrom(from: number, walk: Walk): Promise<number | undefined> {
		const { status } = walk;
		const listing = { path: '/users', qs: { sort_by: 'joined', order: 'desc', status } };
		// By email address, the members of a page are read before the next page is needed.
		const isPrefetching = !this.isOpen('email') && !this.isDone({ ...walk, hasNewer: false });
		let number = from;
		let again: number | undefined;
		for await (const page of pages(this.sender, listing, userList, { from, isPrefetching })) {
			const members = page.records.flatMap((record) => this.see(record, status) ?? []);
			walk.hasNewer &&= !this.known.isListed(status, members.at(-1));
			walk.isAtEnd = page.isEnd;
			walk.members = walk.members.concat(members);
			const hasRead = this.isOpen('email') && (await this.readUnread(members));
			if (hasRead && !page.isEnd) again ??= number;
			number++;
			this.close(walk);
			if (this.isDone(walk)) return undefined;
		}
		return again;
	}

	/** Whether no open name needs another page of a status. */
	private isDone({ hasNewer, isFresh }: Walk): boolean {
		const needsNoMore = ({ by, isKnown }: SoughtName) => isKnown || (isFresh && by === 'email');
		return this.open.size === 0 || (!hasNewer && [...this.open].every(needsNoMore));
	}

	private isOpen(by: PersonKey): boolean {
		return [...this.open].some((name) => name.by === by);
	}

	/** Closes the names that a member of a status has, or of one that comes before. */
	private close({ status, hasNewer }: Pick<Listed, 'status' | 'hasNewer'>): void {
		for (const name of this.open) {
			const isHeld = [...name.holders.values()].some((holder) => holder.status >= status);
			name.isFinal = isHeld && !(name.isKnown && hasNewer);
			if (name.isFinal) this.open.delete(name);
		}
	}

	/** Reads the members who were never read. Those read too long ago are read last. Returns whether there were any. */
	private async readUnread(members: KnownMember[]): Promise<boolean> {
		const isStale = ({ readAt = Infinity }: KnownMember) => readAt < this.freshSince;
		this.stale = this.stale.concat(members.filter(isStale));
		const unread = members.filter(({ id, readAt }) => readAt === undefined && !this.tried.has(id));
		for (const { id } of unread) this.tried.add(id);
		await this.readAddresses(unread);
		return unread.length > 0;
	}

	private async readAddresses(members: KnownMember[]): Promise<void> {
		this.readCount += members.length;
		this.extent.unread += await this.read(members);
	}

	/** Returns how many of the members could not be read. */
	private async read(members: KnownMember[]): Promise<number> {
		const failed: Failure[] = [];
		await dispatchAll(members.length, async (at, cancelled) => {
			const { userId, id, status } = members[at];
			const path = `/users/${encodeURIComponent(id)}`;
			const request = { method: 'GET', path, expects: { record: user, id } } as const;
			const answer = await this.sender.send(request, cancelled).catch((error: unknown) => {
				if (!(error instanceof Failure && isOfOne(error))) throw error;
				this.known.forget(userId);
				failed.push(error);
			});
			if (answer) this.see(answer.body as IDataObject, status, performance.now());
		});
		// The server is down, rather than unable to return these members.
		const isDown = failed.length > 1 && failed.length === members.length;
		if (isDown && !isDeclined(failed[0])) throw failed[0];
		return failed.length;
	}

	/** Notes a member as listed or read, with the open names in this record. */
	private see(record: IDataObject, listedAs: number, readAt?: number): KnownMember | undefined {
		const member = this.known.note(record, listedAs, readAt);
		if (!member) return undefined;
		this.newestAt = Math.max(this.newestAt, toTime(record.created_at) || -Infinity);
		for (const by of ['username', 'email'] as const) {
			const name = record[by] ? this.names.get(nameKey(by, record[by])) : undefined;
			if (!name || !this.open.has(name)) continue;
			name.holders.set(member.userId, member);
			this.onFound(record, readAt !== undefined);
		}
		return member;
	}
}

/** Returns the members who have a name, all of one status. Throws what ended the search before they were final. */
export function holdersOf({ holders, isFinal, extent }: SoughtName): KnownMember[] {
	if (!isFinal && extent.obstacle !== undefined) throw extent.obstacle;
	const all = [...holders.values()].sort((a, b) => b.status - a.status);
	return all.filter(({ status }) => status === all[0].status);
}

// The member has left, is not visible to this key, or cannot be returned by the server.
function isOfOne(failure: Failure): boolean {
	const { httpCode = 0 } = failure.details;
	return isDeclined(failure) || httpCode === 410 || httpCode >= 500;
}
