import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { Sender } from '../../shared/pagination';
import { pages } from '../../shared/pagination';
import { USER_STATUS, USER_STATUSES } from '../../shared/records/codes';
import { identifierOf } from '../../shared/records/identity';
import { user, userList } from '../../shared/records/types';
import { trimmed } from '../../shared/text';
import { Failure, MAX_PAGE_SIZE, isDeclined, isRecord, quoted } from '../../shared/transport';
import type { PersonKey } from '../input/identifiers';
import { dispatchAll } from './dispatch';

const NAMES = { username: 'username', email: 'email address' };
const KEPT_MS = 10 * 60_000;

/** Whom an address belonged to when it was last looked for, by community and address, and until when that is kept. */
const keptByEmail = new Map<string, { msid: string; until: number }>();

// A username or an email address as compared: without case, white space around it, and the @ of a username.
function keyOf(by: PersonKey, text: unknown): string {
	const key = trimmed(text).toLowerCase();
	return by === 'username' ? key.replace(/^@/, '') : key;
}

/**
 * Finds a run's members by username or email address. The API has no search for either, so one walk through the members
 * looks for all that are named, the newest first (docs/decisions.md, A18; docs/api/README.md, "User").
 */
export class People {
	/** How many members were read because of their email addresses. */
	read = 0;
	/** By what they are looked for, the members that were found, by msid: one whose status changes is listed twice. */
	private readonly sought: Record<PersonKey, Map<string, Map<string, IDataObject>>> = {
		username: new Map(),
		email: new Map(),
	};
	private readonly statuses: number[] = [];
	private listed = 0;
	private isEmailShown?: boolean;
	private walk?: Promise<void>;
	/** What ended the walk early: thrown for those who were not found by then. */
	private obstacle?: unknown;

	/** @param community identifies it among those that this process calls */
	constructor(
		private readonly sender: Sender,
		private readonly community: string,
	) {}

	/** @throws Failure when no member or several are named so, or the API shows no email addresses; Cancelled */
	async named(by: PersonKey, text: string, label: string): Promise<IDataObject> {
		const key = keyOf(by, text);
		const found = this.sought[by].get(key) ?? new Map<string, IDataObject>();
		this.sought[by].set(key, found);
		// All items of a run ask before the first of them is answered.
		this.walk ??= sleep(0)
			.then(async () => await this.look())
			.catch((error: unknown) => {
				this.obstacle = error;
			});
		await this.walk;
		const [record] = found.values();
		if (record === undefined) throw this.obstacle ?? this.notFound(by, text, label);
		if (found.size === 1) return record;
		throw new Failure(
			`${found.size} members have the ${NAMES[by]} ${quoted(text)}`,
			`Give the msid of one of them in '${label}': ${[...found.keys()].join(', ')}.`,
		);
	}

	private async look(): Promise<void> {
		await this.readKept();
		for (const status of USER_STATUSES) {
			if (this.isDone) return;
			await this.lookAmong(status).catch((error: unknown) => {
				// This caller may not list them.
				const isDenied = error instanceof Failure && isDeclined(error);
				if (!isDenied || status === USER_STATUSES[0]) throw error;
			});
		}
	}

	private get isDone(): boolean {
		return !this.isLeft('username') && !this.isLeft('email');
	}

	private isLeft(by: PersonKey): boolean {
		if (by === 'email' && this.isEmailShown === false) return false;
		return [...this.sought[by].values()].some(({ size }) => size === 0);
	}

	// An address may have been given to another member meanwhile.
	private async readKept(): Promise<void> {
		for (const [key, { until }] of keptByEmail) if (until <= Date.now()) keptByEmail.delete(key);
		const { email } = this.sought;
		const msids = [...email.keys()].flatMap(
			(key) => keptByEmail.get(this.keptKey(key))?.msid ?? [],
		);
		await this.readEach(msids);
	}

	private async lookAmong(status: number): Promise<void> {
		const qs = { sort_by: 'joined', order: 'desc', status };
		// Members are read page by page, so the next page is not wanted before.
		const concurrency = this.isLeft('email') ? 1 : Infinity;
		const listed = pages(this.sender, { path: '/users', qs }, userList, { concurrency });
		for await (const { records } of listed) {
			this.listed += records.length;
			for (const record of records) this.note('username', record);
			if (this.isLeft('email')) {
				await this.readEach(records.flatMap((record) => identifierOf(record, user) ?? []));
				this.read += records.length;
				// So many hide it that the others will, too.
				if (this.read >= MAX_PAGE_SIZE) this.isEmailShown ??= false;
			}
			if (this.isDone) break;
		}
		this.statuses.push(status);
	}

	private async readEach(ids: string[]): Promise<void> {
		await dispatchAll(ids.length, async (at, withdrawn) => {
			const path = `/users/${encodeURIComponent(ids[at])}`;
			const expects = { record: user, id: ids[at] };
			const request = { method: 'GET', path, expects } as const;
			const answer = await this.sender.send(request, withdrawn).catch((error: unknown) => {
				// Gone since it was listed, or not for this caller.
				if (!(error instanceof Failure && isDeclined(error))) throw error;
			});
			this.note('email', answer?.body);
		});
	}

	private note(by: PersonKey, record: unknown): void {
		if (!isRecord(record)) return;
		const key = keyOf(by, record[by]);
		const msid = identifierOf(record, user);
		if (key === '' || msid === undefined) return;
		if (by === 'email') this.isEmailShown = true;
		if (!this.sought[by].get(key)?.set(msid, record)) return;
		if (by === 'email') keptByEmail.set(this.keptKey(key), { msid, until: Date.now() + KEPT_MS });
	}

	private keptKey(email: string): string {
		return `${this.community} ${email}`;
	}

	private notFound(by: PersonKey, text: string, label: string): Failure {
		if (by === 'email' && this.isEmailShown === false) {
			return new Failure(
				'The API shows no email addresses to the owner of this API key',
				`Choose By Username or By ID in '${label}', or use the key of a member who may see email addresses.`,
			);
		}
		const isAll = this.statuses.length === USER_STATUSES.length;
		const words = this.statuses.map((status) => USER_STATUS[status].toLowerCase());
		const among = isAll ? 'of every status' : `of the status ${words.join(', ')}`;
		return new Failure(
			`No member has the ${NAMES[by]} ${quoted(text)}`,
			`Check it in '${label}': ${this.listed} members were looked at, ${among}.`,
		);
	}
}
