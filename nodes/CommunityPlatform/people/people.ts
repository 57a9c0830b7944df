import type { IDataObject } from 'n8n-workflow';
import { Failure, firstOf, ignoreFailure, isDeclined, isGone, quoted } from '../../shared/failure';
import { USER_STATUS, USER_STATUS_CODE } from '../../shared/records/codes';
import { ME, isMsid, isNamedBy, recordKey, splitMsid } from '../../shared/records/identity';
import { user } from '../../shared/records/types';
import { counted } from '../../shared/text';
import type { Sender } from '../../shared/transport';
import { READ } from '../../shared/transport';
import { nameKey, type MemberKey } from '../input/identifiers';
import { Once } from '../../shared/async/once';
import type { Memory } from './memory';
import { Nearest } from './nearest';
import { STATUSES, Search, matchesOf, type SearchScope, type NameQuery } from './search';

const NAMES = { username: 'username', email: 'email address' };
const USERNAME_KEY = nameKey('username', '');

/** A member as last seen in a run. */
interface Seen {
	record: IDataObject;
	/** When the record was requested, before the request waited for its turn, by `performance.now`. */
	askedAt: number;
	/** Whether the member was read alone, rather than in a list. */
	isRead: boolean;
}

/** The members that the items of one run name by ID, username or email address. */
export class People {
	/** By user_id. */
	private readonly lastSeen = new Map<string, Seen>();
	/** The msids by what was entered, a user_id or "me". */
	private readonly msids = new Once();
	private readonly hidden: Partial<Record<MemberKey, Promise<boolean>>> = {};
	private readonly search: Search;
	private readonly nearest = new Nearest(() =>
		this.memory
			.all()
			.flatMap(({ username }) => username?.slice(USERNAME_KEY.length) ?? [])
			.map((username) => [username, username]),
	);

	constructor(
		private readonly sender: Sender,
		private readonly memory: Memory,
	) {
		this.search = new Search(sender, memory, (...seen) => this.see(...seen));
	}

	/** How many members were read to compare their email addresses. */
	get searched(): number {
		return this.search.readCount;
	}

	/** Adds a name to the next search. */
	seek(by: MemberKey, text: string): void {
		this.search.seek(by, text);
	}

	/**
	 * Returns the msid of the member with a name, as one search for all names that were added by then finds it. Throws a
	 * Failure if no member or several members have it.
	 */
	async msidNamed(by: MemberKey, text: string, label: string): Promise<string> {
		const query = this.search.seek(by, text);
		await this.search.run();
		const [id, ...others] = matchesOf(query).map((match) => match.id);
		if (id === undefined) throw await this.explainNotFound(query, label);
		if (others.length === 0) return isMsid(id) ? id : await this.msidOf(id);
		throw new Failure(
			`${1 + others.length} members have the ${NAMES[by]} ${quoted(query.text)}`,
			`Enter one of these member IDs (msid) in '${label}': ${firstOf([id, ...others])}.`,
		);
	}

	/** Returns the msid of the one member who was seen with a name before, and still has it. */
	async msidRecalled(by: MemberKey, text: string): Promise<string | undefined> {
		const askedAt = performance.now();
		const [record, other] = await this.search.recall(by, text);
		if (!record || other || !isMsid(record.msid)) return undefined;
		this.see(record, askedAt);
		return record.msid;
	}

	/** Throws a Failure if the API finds no such member or does not return the msid, or Cancelled. */
	async msidOf(id: string): Promise<string> {
		return await this.msids.get(id, async () => await this.readMsid(id));
	}

	/** Returns a member as this run last saw them. Another account with the same number is another member. */
	seen(msid: unknown): Partial<Seen> {
		const id = String(msid);
		const seen = this.lastSeen.get(splitMsid(id).userId);
		return seen && isNamedBy(seen.record, user, id) ? seen : {};
	}

	/** Returns the record of a member if this run has read it. */
	read(msid: unknown): IDataObject | undefined {
		const { record, isRead } = this.seen(msid);
		return isRead ? record : undefined;
	}

	/** Notes the record of a member, and when it was asked for. It was read alone unless a list had it. */
	see(record: IDataObject, askedAt: number, isRead = true): void {
		this.lastSeen.set(recordKey(record, user) ?? '', { record, askedAt, isRead });
	}

	/** Spares later searches reading a member who was just created. */
	noteCreated(record: IDataObject): void {
		if (record.email) this.memory.note(record, USER_STATUS_CODE.ACTIVE, performance.now());
	}

	private async readMsid(id: string): Promise<string> {
		const isMe = id === ME.value;
		const expects = { record: user, ...(isMe ? {} : { id }) };
		const request = { ...READ, path: `/users/${id}`, expects };
		const askedAt = performance.now();
		const answer = await this.sender.send(request).catch((error: unknown) => {
			throw isMe ? error : asUnknownUser(id, error);
		});
		const member = answer.body as IDataObject;
		this.see(member, askedAt);
		if (isMsid(member.msid)) return member.msid;
		throw new Failure(
			`The API did not return the full ID of the member ${quoted(id)}`,
			'Enter the full member ID (msid), e.g. 42.a1b2c3, or use the API key of a member who can see it.',
		);
	}

	/** Explains why a search found no member. */
	private async explainNotFound(
		{ by, text, searchScope }: NameQuery,
		label: string,
	): Promise<Failure> {
		if (await (this.hidden[by] ??= this.areHidden(by))) {
			const names = by === 'email' ? 'email addresses' : 'usernames';
			const other = by === 'email' ? 'username or the ' : '';
			return new Failure(
				`The owner of this API key cannot see the ${names} of other members`,
				`Enter the ${other}member ID (msid) in '${label}', or use the API key of a member who can see ${names}.`,
			);
		}
		const typed = nameKey(by, text).slice(USERNAME_KEY.length);
		const suggestion = by === 'username' ? await this.nearest.to(typed) : '';
		// A member who could not be read, or whose status the key cannot list, may have the name.
		const isCertain = isWhole(searchScope) && (by === 'username' || searchScope.unread === 0);
		return new Failure(
			`No member has the ${NAMES[by]} ${quoted(text)}`,
			[`Check the spelling in '${label}'.`, suggestion, describeScope(searchScope)]
				.filter(Boolean)
				.join(' '),
			isCertain ? { notFound: 'user', query: text, suggestion } : {},
		);
	}

	/** Whether the API returns such names only for the owner of the API key. */
	private async areHidden(by: MemberKey): Promise<boolean> {
		const all = this.memory.all();
		const [one, other] = all.filter((member) => member[by] !== undefined);
		if (other !== undefined || all.length < 2) return false;
		if (one === undefined) return true;
		const own = await this.msidOf(ME.value).catch(ignoreFailure);
		return own !== undefined && splitMsid(own).userId === splitMsid(one.id).userId;
	}
}

function isWhole({ statuses }: SearchScope): boolean {
	return statuses.size === STATUSES.length;
}

function describeScope(searchScope: SearchScope): string {
	const { statuses, members, unread } = searchScope;
	const words = [...statuses].map((status) => USER_STATUS[status].toLowerCase()).join(', ');
	const among = isWhole(searchScope) ? 'with any status' : `with the status ${words}`;
	const missed = unread > 0 ? ` ${unread} of them could not be read.` : '';
	return `The node checked ${counted(members.size, 'member')} ${among}.${missed}`;
}

/** Returns what to throw if reading a member by the user_id failed. */
function asUnknownUser(userId: string, error: unknown): unknown {
	// The API may not have the member, or may not accept a user_id from this caller (docs/api/openapi.yaml, `user.get`).
	if (!(error instanceof Failure && isDeclined(error))) return error;
	if (error.details.httpCode === 403) {
		const advice = `${error.advice} Or enter the full member ID (msid) instead of ${quoted(userId)}.`;
		return error.with({ advice });
	}
	return new Failure(
		`No member with the ID ${quoted(userId)} was found`,
		`Check the ID, or enter the full member ID (msid), e.g. 42.a1b2c3. The API answered: "${error.message}".`,
		{ ...error.details, ...(isGone(error) && { notFound: 'user' }), query: userId },
	);
}
