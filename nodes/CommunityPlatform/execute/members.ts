import type { IDataObject } from 'n8n-workflow';
import {
	Failure,
	firstOf,
	isDeclined,
	quoted,
	shortened,
	unlessFailure,
} from '../../shared/failure';
import { ME } from '../../shared/records/named';
import { user, userList } from '../../shared/records/types';
import { pages } from '../../shared/pagination';
import { USER_STATUS, USER_STATUSES, USER_STATUS_CODE } from '../../shared/records/codes';
import { identifierOf, isMsid, recordKey, splitMsid } from '../../shared/records/identity';
import { MAX_PAGE_SIZE, type Sender } from '../../shared/transport';
import { nameKey, type PersonKey } from '../input/identifiers';
import { dispatchAll } from './dispatch';
import { Nearest } from './nearest';

const { ACTIVE, DELETED } = USER_STATUS_CODE;
/** In the order in which they are searched. */
const STATUSES = USER_STATUSES.filter((status) => status !== DELETED);
const BY = ['username', 'email'] as const;
const NAMES = { username: 'username', email: 'email address' };
const MOST_MEMBERS = 100_000;
/** For so long, in milliseconds, nobody but those who joined since has to be looked at again. */
const RECENT_MS = 10 * 60_000;

/** A member as last seen by a walk. */
interface Seen {
	/** The msid, or else the user_id. */
	id: string;
	status: number;
	/** Username and email address, as far as the API shows them, as `nameKey` compares them. */
	names: string[];
	/** When the member was last read, in milliseconds since 1970: a listing shows no email address. */
	readAt?: number;
}

/**
 * Where the walks of one API key have last seen the members of a community. It says whom to read back and whom not to
 * read once more, and is never an answer by itself: so entries need no expiry (docs/decisions.md, A18).
 */
export interface Memory {
	/** By user_id, those that were seen last at the end. */
	members: Map<string, Seen>;
	/** By status, when the last walk for email addresses began at the top, and how many pages deep its members were read. */
	walks: Map<number, { at: number; pages: number }>;
}

const memories = new Map<string, Memory>();

/** The memory of a community and an API key, both named by `caller`. */
export function memoryOf(caller: string): Memory {
	const memory = memories.get(caller) ?? { members: new Map(), walks: new Map() };
	memories.set(caller, memory);
	return memory;
}

/** The members who have a username or an email address that items name. */
interface Having {
	by: PersonKey;
	/** By user_id. */
	members: Map<string, Seen>;
	/** Whether it is decided: what is read on for other items makes no difference any more. */
	isSettled: boolean;
}

/**
 * The members of a community, for one run. The API has no search by username or email address, and shows an address only
 * where a member is read. One walk through the listings, the newest first, looks for all that a run names, and reads only
 * those whom no walk of this process has read before (docs/decisions.md, A18).
 */
export class Members {
	/** How many were read because of their email addresses. */
	searched = 0;
	/** By {@link nameKey}. */
	private readonly sought = new Map<string, Having>();
	private readonly records = new Map<string, IDataObject>();
	private readonly msids = new Map<string, Promise<string>>();
	private self?: IDataObject;
	private nearest?: Nearest;
	private readonly walked: number[] = [];
	private unreadable = 0;
	/** Whether a name has moved to somebody else, so that everybody is read again. */
	private isMoved = false;
	/** What ended the search early: thrown for those who were not found by then. */
	private obstacle?: unknown;
	private readonly absences: Partial<Record<PersonKey, ReturnType<Members['absenceOf']>>> = {};
	private endSearch = () => {};
	/** Whoever is asked for after {@link search}, until the search for them begins. */
	private later?: Members;
	private searching = Promise.resolve();
	private readonly searchEnds = new Promise<void>((resolve) => {
		this.endSearch = resolve;
	});

	constructor(
		private readonly sender: Sender,
		private readonly memory: Memory,
	) {}

	/** Keeps what a member is recognised by, and the role; of thousands of members, more would fill the memory. */
	remember(record: IDataObject): void {
		const { username, first_name, role_id } = record;
		this.records.set(recordKey(record, user) ?? '', { username, first_name, role_id });
	}

	/** `username`, `first_name` and `role_id` of a member who was read or found in this run. */
	get(msid: unknown): IDataObject | undefined {
		return this.records.get(splitMsid(String(msid)).userId);
	}

	/** Whether a member is the owner of the API key; false if the API does not show the owner. */
	async isOwner(msid: unknown): Promise<boolean> {
		await this.msidOf(ME.value).catch(unlessFailure);
		return this.ownRecordIf(msid) !== undefined;
	}

	/** What GET /users/me has shown in this run, if a member is the owner of the API key. */
	ownRecordIf(msid: unknown): IDataObject | undefined {
		const { userId } = splitMsid(String(msid));
		return this.self && recordKey(this.self, user) === userId ? this.self : undefined;
	}

	/** @throws Failure when the API knows no such member, or does not show the msid; Cancelled */
	async msidOf(id: string): Promise<string> {
		const found = this.msids.get(id) ?? this.readMsid(id);
		this.msids.set(id, found);
		return await found;
	}

	/** The msid, once {@link search} has ended; throws a Failure when no member or several have the name. */
	async msidOfPerson(by: PersonKey, text: string, label: string): Promise<string> {
		const key = nameKey(by, text);
		const having = this.sought.get(key) ?? { by, members: new Map(), isSettled: false };
		this.sought.set(key, having);
		await this.searchEnds;
		// Of several statuses, the first one decides.
		const all = [...having.members.values()].sort((a, b) => b.status - a.status);
		const [id, ...others] = all
			.filter(({ status }) => status === all[0].status)
			.map((seen) => seen.id);
		if (id === undefined) throw this.obstacle ?? (await this.nobody(by, text, label));
		if (others.length === 0) return isMsid(id) ? id : await this.msidOf(id);
		throw new Failure(
			`${others.length + 1} members have the ${NAMES[by]} ${quoted(text)}`,
			`Give the msid of one of them in '${label}': ${firstOf([id, ...others])}.`,
		);
	}

	/** The same once {@link search} has ended: all who are asked for while another search goes on are looked for together. */
	async findNow(by: PersonKey, text: string, label: string): Promise<string> {
		this.later ??= this.searchLater();
		return await this.later.msidOfPerson(by, text, label);
	}

	private searchLater(): Members {
		const members = new Members(this.sender, this.memory);
		this.searching = this.searching.then(async () => {
			this.later = undefined;
			await members.search();
			this.searched += members.searched;
		});
		return members;
	}

	/** Looks for all whom the items have named; never rejects. */
	async search(): Promise<void> {
		await this.look().catch((error: unknown) => {
			this.obstacle = error;
		});
		this.endSearch();
	}

	private isLeft(by?: PersonKey): boolean {
		return [...this.sought.values()].some((each) => !each.isSettled && (by ?? each.by) === each.by);
	}

	private settle(): void {
		for (const each of this.sought.values()) each.isSettled ||= each.members.size > 0;
	}

	private async look(): Promise<void> {
		if (this.sought.size > 0) await this.readBack();
		const stale: Seen[] = [];
		for (const status of STATUSES) {
			if (!this.isLeft()) return;
			await this.walk(status, stale).catch((error: unknown) => {
				// This caller may not list them.
				if (status === ACTIVE || !(error instanceof Failure && isDeclined(error))) throw error;
			});
		}
		for (let at = 0; at < stale.length && this.isLeft('email'); at += MAX_PAGE_SIZE) {
			await this.read(stale.slice(at, at + MAX_PAGE_SIZE));
			this.settle();
		}
	}

	/** Reads those who had the names when they were last seen; many usernames are read faster by the page. */
	private async readBack(): Promise<void> {
		const usernames = [...this.sought.values()].filter(({ by }) => by === 'username');
		const isPaged = usernames.length > MAX_PAGE_SIZE;
		const isWanted = (key: string) => this.sought.has(key) && !(isPaged && key.startsWith('u'));
		const had = [...this.memory.members.values()].filter(({ names }) => names.some(isWanted));
		await this.read(had);
		const keys = had.flatMap(({ names }) => names.filter(isWanted));
		this.isMoved = keys.some((key) => this.sought.get(key)?.members.size === 0);
	}

	/**
	 * Goes through the members of a status, the newest first, until all who are sought are found. Where another walk was
	 * here a moment ago, it reads those who joined since, and then jumps to the page at which that one stopped.
	 */
	private async walk(status: number, stale: Seen[]): Promise<void> {
		const { members, walks } = this.memory;
		const isByEmail = this.isLeft('email');
		const last = walks.get(status);
		const isRecent = last !== undefined && Date.now() - last.at < RECENT_MS;
		// Infinity behind a whole walk, zero where there is nowhere to jump to.
		let jumpTo = isRecent && !this.isMoved && !this.isLeft('username') ? last.pages : 0;
		const at = jumpTo > 0 && last ? last.at : Date.now();
		// A listing shows no email address, so whoever was only listed is not known by it.
		const isKnown = (seen?: Seen) => seen && (!isByEmail || seen.readAt !== undefined);
		// Above the newest one who is known are those who joined since.
		let isAboveKnown = [...members.values()].some(
			(each) => each.status === status && isKnown(each),
		);
		const noteWalk = (pages: number) => {
			// Whoever could not be read is looked for again.
			if (isByEmail && this.unreadable === 0) walks.set(status, { at, pages });
		};
		const qs = { sort_by: 'joined', order: 'desc', status };
		// By email address, members are read page by page, so the next page is not wanted before.
		const pagesFrom = (from: number) =>
			pages(this.sender, { path: '/users', qs }, userList, { from, isPrefetching: !isByEmail });
		let listed = pagesFrom(1);
		for (let page = 1; ; page++) {
			const { value, done } = await listed.next();
			if (done) break;
			const unread: Seen[] = [];
			for (const record of value.records) {
				if (isKnown(members.get(recordKey(record, user) ?? ''))) isAboveKnown = false;
				const seen = this.see(record, status);
				if (!seen) continue;
				if (this.isMoved || seen.readAt === undefined) unread.push(seen);
				else if (Date.now() - seen.readAt > RECENT_MS) stale.push(seen);
			}
			if (this.isLeft('email')) {
				await this.read(unread);
				this.searched += unread.length;
			}
			if (!isAboveKnown) this.settle();
			const isDone = !this.isLeft();
			if (isDone) noteWalk(Math.max(page, jumpTo));
			if (!isDone && (isAboveKnown || jumpTo <= page)) continue;
			await listed.return(undefined);
			if (isDone) return;
			if (jumpTo === Infinity) break;
			listed = pagesFrom(jumpTo);
			page = jumpTo - 1;
			jumpTo = 0;
		}
		this.settle();
		this.walked.push(status);
		noteWalk(Infinity);
	}

	private async read(all: Seen[]): Promise<void> {
		const failed: Failure[] = [];
		await dispatchAll(all.length, async (at, withdrawn) => {
			const { id, status } = all[at];
			const path = `/users/${encodeURIComponent(id)}`;
			const request = { method: 'GET', path, expects: { record: user, id } } as const;
			const answer = await this.sender.send(request, withdrawn).catch((error: unknown) => {
				if (!(error instanceof Failure && isOfOne(error))) throw error;
				failed.push(error);
			});
			if (answer) this.see(answer.body as IDataObject, status, Date.now());
		});
		this.unreadable += failed.length;
		// The server is down, rather than that some cannot be read.
		const isDown = failed.length > 1 && failed.length === all.length;
		if (isDown && !isDeclined(failed[0])) throw failed[0];
	}

	/** Remembers a member as listed or, with the time, as read; undefined for one without an identifier. */
	private see(record: IDataObject, listedAs: number, readAt?: number): Seen | undefined {
		const [userId, id] = [recordKey(record, user), identifierOf(record, user)];
		if (userId === undefined || id === undefined) return undefined;
		const { members } = this.memory;
		const known = members.get(userId);
		// With another msid, it is another account.
		const isOther = isMsid(id) && isMsid(known?.id) && id !== known.id;
		const before = readAt === undefined && !isOther ? known : undefined;
		const names = BY.filter((by) => record[by]).map((by) => nameKey(by, record[by]));
		names.push(...(before?.names ?? []).filter((key) => key.startsWith('email')));
		const status = Number(record.user_status ?? listedAs);
		const seen: Seen = { id, status, names, readAt: readAt ?? before?.readAt };
		members.delete(userId);
		members.set(userId, seen);
		const [oldest] = members.keys();
		if (members.size > MOST_MEMBERS) members.delete(oldest);
		for (const having of names.flatMap((key) => this.sought.get(key) ?? [])) {
			if (having.isSettled || status === DELETED) continue;
			having.members.set(userId, seen);
			this.remember(record);
		}
		return seen;
	}

	private async readMsid(id: string): Promise<string> {
		const isMe = id === ME.value;
		const expects = { record: user, ...(isMe ? {} : { id }) };
		const request = { method: 'GET', path: `/users/${id}`, expects } as const;
		const answer = await this.sender.send(request).catch((error: unknown) => {
			throw isMe ? error : unlessDeclined(id, error);
		});
		const member = answer.body as IDataObject;
		this.remember(member);
		if (isMe) this.self = member;
		if (isMsid(member.msid)) return member.msid;
		throw new Failure(
			'The API did not show the msid of a user',
			'Give the msid: the number and the code behind it, e.g. 42.a1b2c3.',
		);
	}

	private async nobody(by: PersonKey, text: string, label: string): Promise<Failure> {
		this.absences[by] ??= this.absenceOf(by);
		const { isHidden, looked } = await this.absences[by];
		if (isHidden) {
			const other = by === 'email' ? 'username or the msid' : 'msid';
			return new Failure(
				`The API shows no ${by === 'email' ? 'email addresses' : 'usernames'} to the owner of this API key`,
				`Give the ${other} in '${label}', or use the key of a member who may see them.`,
			);
		}
		const near = by === 'username' ? `${await this.nearUsername(text)} ` : '';
		return new Failure(
			`No member has the ${NAMES[by]} ${quoted(text)}`,
			`Check it in '${label}'. ${near.trimStart()}${looked}`,
			{ isNobody: true },
		);
	}

	private async nearUsername(text: string): Promise<string> {
		const prefix = nameKey('username', '');
		const keys = [...this.memory.members.values()].flatMap(({ names }) => names);
		const usernames = keys
			.filter((key) => key.startsWith(prefix))
			.map((key) => key.slice(prefix.length));
		const typed = nameKey('username', text).slice(prefix.length);
		return await (this.nearest ??= new Nearest()).to(
			typed,
			usernames.map((username) => [username, username]),
		);
	}

	/** The same for all names that were not found: whether the API shows any but the own one, and who was looked at. */
	private async absenceOf(by: PersonKey): Promise<{ isHidden: boolean; looked: string }> {
		const members = [...this.memory.members.values()];
		const [one, ...others] = members.filter(({ names }) => names.some((key) => key.startsWith(by)));
		const isOwn = others.length === 0 && (one === undefined || (await this.isOwner(one.id)));
		const looked = members.filter(({ status }) => this.walked.includes(status)).length;
		const words = this.walked.map((status) => USER_STATUS[status].toLowerCase());
		const isAll = words.length === STATUSES.length;
		const among = isAll ? 'of every status' : `of the status ${words.join(', ')}`;
		const unreadable = this.unreadable > 0 ? ` ${this.unreadable} of them could not be read.` : '';
		return {
			isHidden: isOwn && members.length > 1,
			looked: `${looked} members were looked at, ${among}.${unreadable}`,
		};
	}
}

// Gone since the member was listed, not for this caller, or the server cannot answer for this one.
function isOfOne(failure: Failure): boolean {
	const { httpCode = 0 } = failure.details;
	return isDeclined(failure) || httpCode === 410 || httpCode >= 500;
}

function unlessDeclined(userId: string, error: unknown): unknown {
	// The API may know no member by it, or not take it from this caller (docs/api/openapi.yaml, `user.get`).
	if (!(error instanceof Failure && isDeclined(error))) return error;
	if (error.details.httpCode === 403) {
		const advice = `${error.advice} Or give the msid instead of the user number ${shortened(userId)}.`;
		return error.with({ advice });
	}
	return new Failure(
		`No user was found by the user number ${shortened(userId)}`,
		`Check the number, or give the msid: the number and the code behind it, e.g. 42.a1b2c3. The API answered: "${error.message}".`,
		error.details,
	);
}
