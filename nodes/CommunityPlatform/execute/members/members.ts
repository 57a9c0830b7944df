import type { IDataObject } from 'n8n-workflow';
import { Failure, ignoreFailure, quoted } from '../../../shared/failure';
import { USER_STATUS_CODE } from '../../../shared/records/codes';
import { ME } from '../../../shared/records/named';
import { user } from '../../../shared/records/types';
import { isMsid, recordKey, splitMsid } from '../../../shared/records/identity';
import type { Sender } from '../../../shared/transport';
import type { PersonKey } from '../../input/identifiers';
import type { KnownMembers } from './known';
import { asUnknownUser, NotFound, severalHave } from './notFound';
import { holdersOf, MemberSearch } from './search';

/** The members that the items of one run name by ID, username or email address. */
export class Members {
	/** By user_id. Three fields of each, because a run can have many members. */
	private readonly persons = new Map<string, IDataObject>();
	/** By user_id, the records that the search has read, until an item takes them. */
	private readonly records = new Map<string, IDataObject>();
	private readonly msids = new Map<string, Promise<string>>();
	readonly search: MemberSearch;
	private readonly notFound: NotFound;
	private self?: IDataObject;

	constructor(
		private readonly sender: Sender,
		private readonly known: KnownMembers,
	) {
		this.search = new MemberSearch(sender, known, (record, isRead) => this.keep(record, isRead));
		this.notFound = new NotFound(known, async (id) => await this.isOwner(id));
	}

	/**
	 * Returns the msid of the member with a name, as one search for all names that were added by then finds it. Throws a
	 * Failure if no member or several members have it.
	 */
	async msidNamed(by: PersonKey, text: string, label: string): Promise<string> {
		const name = this.search.seek(by, text);
		await this.search.run();
		const [id, ...others] = holdersOf(name).map((holder) => holder.id);
		if (id === undefined) throw await this.notFound.failure(name, label);
		if (others.length > 0) throw severalHave(name, label, [id, ...others]);
		return isMsid(id) ? id : await this.msidOf(id);
	}

	/** Returns the msid of the one member who was seen with a name before, and still has it. */
	async msidRecalled(by: PersonKey, text: string): Promise<string | undefined> {
		const [record, other] = await this.search.recall(by, text);
		if (!record || other || !isMsid(record.msid)) return undefined;
		this.keep(record, true);
		return record.msid;
	}

	/** Returns the record of a member that the search has read, once. */
	takeRecord(msid: unknown): IDataObject | undefined {
		const { userId } = splitMsid(String(msid));
		const record = this.records.get(userId);
		this.records.delete(userId);
		return record;
	}

	/** Throws a Failure if the API finds no such member or does not return the msid, or Cancelled. */
	async msidOf(id: string): Promise<string> {
		const found = this.msids.get(id) ?? this.readMsid(id);
		this.msids.set(id, found);
		return await found;
	}

	/** Returns `username`, `first_name` and `role_id` of a member who was read or found in this run. */
	person(msid: unknown): IDataObject | undefined {
		return this.persons.get(splitMsid(String(msid)).userId);
	}

	keepPerson(record: IDataObject): void {
		const { username, first_name, role_id } = record;
		this.persons.set(recordKey(record, user) ?? '', { username, first_name, role_id });
	}

	/** Call it before a change. If the answer is lost, a later item of this member reads the record again. */
	forgetPerson(msid: unknown): void {
		this.persons.delete(splitMsid(String(msid)).userId);
	}

	/** Spares later searches reading a member who was just created. */
	noteCreated(record: IDataObject): void {
		if (record.email) this.known.note(record, USER_STATUS_CODE.ACTIVE, performance.now());
	}

	/** Whether a member is the owner of the API key. Returns false if the API does not return the owner. */
	private async isOwner(id: string): Promise<boolean> {
		await this.msidOf(ME.value).catch(ignoreFailure);
		return this.self !== undefined && recordKey(this.self, user) === splitMsid(id).userId;
	}

	private keep(record: IDataObject, isRead: boolean): void {
		this.keepPerson(record);
		if (isRead) this.records.set(recordKey(record, user) ?? '', record);
	}

	private async readMsid(id: string): Promise<string> {
		const isMe = id === ME.value;
		const expects = { record: user, ...(isMe ? {} : { id }) };
		const request = { method: 'GET', path: `/users/${id}`, expects } as const;
		const answer = await this.sender.send(request).catch((error: unknown) => {
			throw isMe ? error : asUnknownUser(id, error);
		});
		const member = answer.body as IDataObject;
		this.keepPerson(member);
		if (isMe) this.self = member;
		if (isMsid(member.msid)) return member.msid;
		throw new Failure(
			`The API did not return the full ID of the member ${quoted(id)}`,
			'Enter the full member ID (msid), e.g. 42.a1b2c3, or use the API key of a member who can see it.',
		);
	}
}
