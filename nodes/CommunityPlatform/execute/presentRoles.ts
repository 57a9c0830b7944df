import type { IDataObject } from 'n8n-workflow';
import type { Identifier } from '../../shared/transport/request';
import { Failure } from '../../shared/transport/failure';
import { pages } from '../../shared/pagination';
import { userDetailWithEmail, userList } from '../../shared/records/types';
import type { Caller } from './caller';

// With fewer members, a page of the listing is likely to show none of them.
const LISTED_FROM = 10;

/**
 * The roles of members before a run changes them. The listing is read page by page, as long as it has shown more of the
 * members than pages were read; the other members are read one by one. So this takes at most one request for each
 * member, and one page.
 */
export class PresentRoles {
	private readonly wanted = new Set<string>();
	private readonly known = new Map<string, unknown>();
	/** Identifiers as the API shows them; with another sid, an msid may name no member. */
	private readonly naming = new Set<string>();
	private listing?: Promise<void>;

	/** Adds a member whose role will be needed. */
	want(msid: string): void {
		this.wanted.add(numberIn(msid));
	}

	/**
	 * @param identifiers the parameter that names the member
	 * @returns the role_id; undefined if the API does not show it
	 * @throws Failure when the member cannot be read; Stopped
	 */
	async of(caller: Caller, msid: string, identifiers?: Identifier[]): Promise<unknown> {
		this.listing ??= this.list(caller).catch(unlessRefused);
		await this.listing;
		const number = numberIn(msid);
		if (!this.known.has(number) || !this.naming.has(msid)) {
			this.known.set(number, await read(caller, msid, identifiers));
			this.naming.add(number).add(msid);
		}
		return this.known.get(number);
	}

	/** Sets the role of a member after a change. */
	note(msid: string, roleId: unknown): void {
		this.known.set(numberIn(msid), roleId);
	}

	/** Forgets the role of a member after a change whose outcome is unknown. */
	forget(msid: string): void {
		this.known.delete(numberIn(msid));
	}

	private async list(caller: Caller): Promise<void> {
		if (this.wanted.size < LISTED_FROM) return;
		let count = 0;
		for await (const { records } of pages(caller, { path: '/users' }, userList)) {
			count++;
			for (const member of records) this.noteListed(member);
			if (this.known.size < count || this.known.size === this.wanted.size) break;
		}
	}

	private noteListed({ user_id: id, msid, role_id: roleId }: IDataObject): void {
		if (roleId === undefined || roleId === null) return;
		if (!this.wanted.has(String(id))) return;
		this.known.set(String(id), roleId);
		this.naming.add(String(id)).add(String(msid));
	}
}

// A caller who may not list members may still read one.
function unlessRefused(error: unknown): void {
	if (!(error instanceof Failure)) throw error;
}

async function read(caller: Caller, msid: string, identifiers?: Identifier[]): Promise<unknown> {
	const { body } = await caller.send({
		method: 'GET',
		repeat: 'safe',
		path: `/users/${encodeURIComponent(msid)}`,
		identifiers,
		expects: { record: userDetailWithEmail, id: msid },
	});
	return (body as IDataObject).role_id ?? undefined;
}

// The part before the dot identifies the member (docs/api/README.md, "User").
function numberIn(msid: string): string {
	return msid.split('.')[0];
}
