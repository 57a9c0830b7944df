import type { IDataObject } from 'n8n-workflow';
import { Failure, ignoreFailure, quoted } from '../../../shared/failure';
import { USER_STATUS_CODE } from '../../../shared/records/codes';
import { user } from '../../../shared/records/types';
import { ME, isMsid, recordKey, splitMsid } from '../../../shared/records/identity';
import type { Sender } from '../../../shared/transport';
import type { MemberKey } from '../../input/identifiers';
import type { Memory } from './memory';
import { asUnknownUser, NotFound, severalHave } from './notFound';
import { holdersOf, Search } from './search';

/** A member as last seen in a run. `readAt` is on a clock that never goes back, undefined if a list had the record. */
interface Seen {
	record: IDataObject;
	readAt?: number;
}

/** The members that the items of one run name by ID, username or email address. */
export class Members {
	/** By user_id. */
	private readonly byUserId = new Map<string, Seen>();
	/** The msids by what was entered, a user_id or "me". */
	private readonly msids = new Map<string, Promise<string>>();
	readonly search: Search;
	private notFound?: NotFound;

	constructor(
		private readonly sender: Sender,
		private readonly memory: Memory,
	) {
		this.search = new Search(sender, memory, (record, isRead) => this.see(record, isRead));
	}

	/**
	 * Returns the msid of the member with a name, as one search for all names that were added by then finds it. Throws a
	 * Failure if no member or several members have it.
	 */
	async msidNamed(by: MemberKey, text: string, label: string): Promise<string> {
		const name = this.search.seek(by, text);
		await this.search.run();
		const [id, ...others] = holdersOf(name).map((holder) => holder.id);
		if (id === undefined) {
			this.notFound ??= new NotFound(this.memory, async (msid) => await this.isOwner(msid));
			throw await this.notFound.failure(name, label);
		}
		if (others.length > 0) throw severalHave(name, label, [id, ...others]);
		return isMsid(id) ? id : await this.msidOf(id);
	}

	/** Returns the msid of the one member who was seen with a name before, and still has it. */
	async msidRecalled(by: MemberKey, text: string): Promise<string | undefined> {
		const [record, other] = await this.search.recall(by, text);
		if (!record || other || !isMsid(record.msid)) return undefined;
		this.see(record);
		return record.msid;
	}

	/** Returns the record of a member as this run last saw it, in a list or alone. */
	seen(msid: unknown): IDataObject | undefined {
		return this.byUserId.get(splitMsid(String(msid)).userId)?.record;
	}

	/** Returns the record of a member if this run has read it. */
	read(msid: unknown): IDataObject | undefined {
		return this.readAt(msid) === undefined ? undefined : this.seen(msid);
	}

	/** Returns when this run has read a member, by `performance.now`. Undefined if it has not. */
	readAt(msid: unknown): number | undefined {
		return this.byUserId.get(splitMsid(String(msid)).userId)?.readAt;
	}

	/** Notes the record of a member, read alone unless a list had it. */
	see(record: IDataObject, isRead = true): void {
		const readAt = isRead ? performance.now() : undefined;
		this.byUserId.set(recordKey(record, user) ?? '', { record, readAt });
	}

	/** Call it before a change. If the answer is lost, a later item of this member reads the record again. */
	forget(msid: unknown): void {
		this.byUserId.delete(splitMsid(String(msid)).userId);
	}

	/** Throws a Failure if the API finds no such member or does not return the msid, or Cancelled. */
	async msidOf(id: string): Promise<string> {
		const found = this.msids.get(id) ?? this.readMsid(id);
		this.msids.set(id, found);
		return await found;
	}

	/** Spares later searches reading a member who was just created. */
	noteCreated(record: IDataObject): void {
		if (record.email) this.memory.note(record, USER_STATUS_CODE.ACTIVE, performance.now());
	}

	/** Whether a member is the owner of the API key. Returns false if the API does not return the owner. */
	private async isOwner(id: string): Promise<boolean> {
		const own = await this.msidOf(ME.value).catch(ignoreFailure);
		return own !== undefined && splitMsid(own).userId === splitMsid(id).userId;
	}

	private async readMsid(id: string): Promise<string> {
		const isMe = id === ME.value;
		const expects = { record: user, ...(isMe ? {} : { id }) };
		const request = { method: 'GET', path: `/users/${id}`, expects } as const;
		const answer = await this.sender.send(request).catch((error: unknown) => {
			throw isMe ? error : asUnknownUser(id, error);
		});
		const member = answer.body as IDataObject;
		this.see(member);
		if (isMsid(member.msid)) return member.msid;
		throw new Failure(
			`The API did not return the full ID of the member ${quoted(id)}`,
			'Enter the full member ID (msid), e.g. 42.a1b2c3, or use the API key of a member who can see it.',
		);
	}
}
