import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { memberKey, toItem } from '../shared/events';
import { asFailure } from '../shared/failure';
import { matchesMember, readFilters, refuseHidden } from '../shared/triggerParameters';
import { identifierOf } from '../shared/records/identity';
import { outputMaker } from '../shared/records/form';
import { USER_STATUS_CODE } from '../shared/records/codes';
import { userDetailWithEmail, userList, type RecordType } from '../shared/records/types';
import { Cancelled, type Api } from '../shared/transport';
import type { Reading, Unread } from './cursor';
import { readerOf } from './properties';
import { readDetails } from './reading';

// How many members are read at a time to find out whether the API returns email addresses. Some members have none.
const LOOKED_AT_ONCE = 10;
// After so many polls, a member who cannot be read is returned without details.
const MAX_POLLS = 10;

/** Makes items of the members that the filters keep. */
export class ItemMaker {
	private readonly filters: ReturnType<typeof readFilters>;
	private readonly isReading: boolean;
	private readonly toJson: (record: IDataObject) => IDataObject;
	private readonly status: number;
	/** How many members may fail before the API is suspected. */
	private readonly tolerated: number;
	/** Whether the API is known to return email addresses, or no filter needs them. */
	private isEmailShown: boolean;

	/** Throws a Failure if a parameter cannot be used. */
	constructor(
		functions: IPollFunctions,
		private readonly api: Api,
	) {
		const read = readerOf(functions);
		this.filters = readFilters(functions);
		this.isEmailShown = this.filters.domains.length === 0;
		this.isReading = read('options.includeDetails', false) === true || !this.isEmailShown;
		this.toJson = shaper(functions, this.isReading ? userDetailWithEmail : userList);
		this.status = read('status') as number;
		this.tolerated = functions.getMode() === 'manual' ? 0 : 1;
	}

	/**
	 * Makes items of new members, and of those that earlier polls could not read.
	 *
	 * @param reading the list in which they were found
	 * @returns the items, and the `unread` members, which the next poll passes as `again`
	 * @throws why no member can be read, or a Failure if a filter needs a field that the API hides
	 */
	async make(found: IDataObject[], reading: Partial<Reading>, again: Unread[] = []) {
		const { api, filters } = this;
		const listed = reading.records ?? [];
		const members = found.filter(matchesMember({ ...filters, domains: [] }));
		const [toRead, others] = this.isReading ? [members, []] : [[], members];
		const attempt = await readAll(api, toRead, again, listed);
		const { read, failed, reason } = attempt;
		// Then the time limit may be the reason.
		const isCut = reading.error !== undefined || api.cancellation.isCancelled;
		if (!isCut && this.mayBeTheApi(attempt, again)) {
			const known = without(listed, [...found, ...again]);
			if (!(await canReadAnother(api, known))) throw reason;
		}
		const why = reason === undefined ? NOT_YET : asFailure(reason).message;
		const unread = failed.flatMap(({ member, polls }) =>
			polls < MAX_POLLS ? { ...member, polls } : [],
		);
		const text = `${unread.length} new members could not be read, so the next poll tries again: ${why}`;
		if (unread.length > 0) api.log(text);
		await this.checkEmail(read, listed, found);
		const givenUp = failed.filter(({ polls }) => polls >= MAX_POLLS).map(({ member }) => member);
		if (givenUp.length > 0) api.log(textOfGivenUp(givenUp, why));
		const isWanted = matchesMember(filters);
		const kept = [...givenUp, ...read].filter((each) => isWanted(each) && this.hasStatus(each));
		return { items: kept.concat(others).map(this.toJson), unread };
	}

	/** Whether the API rather than a member is the likely reason why no member could be read. */
	private mayBeTheApi({ read, failed, reason }: Attempt, again: Unread[]): boolean {
		// Otherwise it may be one member, or those who failed before.
		const tolerated = Math.max(again.length, this.tolerated);
		return reason !== undefined && read.length === 0 && failed.length > tolerated;
	}

	// The API may write the status as a word.
	private hasStatus({ user_status: status }: IDataObject): boolean {
		return [this.status, NaN].includes(Number(status ?? this.status));
	}

	/** Throws a Failure if a filter needs email addresses, but the API returns only the one of the key's owner. */
	private async checkEmail(read: IDataObject[], listed: IDataObject[], found: IDataObject[]) {
		this.isEmailShown ||= read.some(hasEmail);
		if (this.isEmailShown || read.length === 0) return;
		const others = without(listed, found);
		const looked: IDataObject[] = [];
		while (others.length > 0 && looked.filter(hasEmail).length < 2) {
			looked.push(...(await readAll(this.api, others.splice(0, LOOKED_AT_ONCE))).read);
		}
		refuseHidden(looked, hasEmail, 'email addresses', 'Email Domains');
		this.isEmailShown = true;
	}
}

function textOfGivenUp(members: IDataObject[], why: string): string {
	const names = members.map(idOf).join(', ');
	return `${members.length} new members could not be read in ${MAX_POLLS} polls: ${names} (${why}). The trigger returns them with the fields of the list. If a filter needs another field, it leaves them out.`;
}

const NOT_YET = 'the API does not find them yet';

const hasEmail = ({ email }: IDataObject) => email;

/** The members that could be read, those that could not, and the first reason if it is not that they are missing. */
interface Attempt {
	read: IDataObject[];
	failed: Array<{ member: IDataObject; polls: number }>;
	reason?: unknown;
}

/**
 * Reads new members, and `again` those that an earlier poll could not read. Only these can be gone, and only if this poll
 * has not listed them.
 */
async function readAll(
	api: Api,
	found: IDataObject[],
	again: Unread[] = [],
	listed: IDataObject[] = [],
): Promise<Attempt> {
	const present = new Set(listed.map(idOf));
	const earlier = again.map(({ polls = 0, ...member }) => ({ member, polls }));
	const members = earlier.concat(found.map((member) => ({ member, polls: 0 })));
	const all = await Promise.allSettled(
		members.map(async ({ member }) => await readDetails(api, member)),
	);
	const read = all.flatMap((each) => (each.status === 'fulfilled' && each.value) || []);
	const isGone = (at: number) => at < again.length && !present.has(idOf(members[at].member));
	const isRead = (at: number) => 'value' in all[at] && (all[at].value || isGone(at));
	const failed = members.flatMap(({ member, polls }, at) =>
		isRead(at) ? [] : { member: toListed(member), polls: polls + (wasSent(all[at]) ? 1 : 0) },
	);
	const reason = all.find((each) => each.status === 'rejected')?.reason as unknown;
	return { read: read as IDataObject[], failed, reason };
}

// So many tell whether the API, rather than the new members, is the cause.
const KNOWN_TO_READ = 3;

async function canReadAnother(api: Api, known: IDataObject[]): Promise<boolean> {
	return (await readAll(api, known.slice(0, KNOWN_TO_READ))).read.length > 0;
}

function without(members: IDataObject[], others: IDataObject[]): IDataObject[] {
	const ids = new Set(others.map(idOf));
	return members.filter((member) => !ids.has(idOf(member)));
}

function idOf(member: IDataObject): string | undefined {
	return identifierOf(member, userList);
}

const toListed = outputMaker(userList, { fields: userList.returned, includeEmptyFields: true });

/** Whether a request was sent before time ran out. */
function wasSent(result: PromiseSettledResult<unknown>): boolean {
	const { reason } = result as { reason?: unknown };
	return !(reason instanceof Cancelled) || reason.cause !== undefined;
}

/** Depending on 'Output', returns a member's record or the item that the webhook trigger makes of the member. */
function shaper(functions: IPollFunctions, type: RecordType): (record: IDataObject) => IDataObject {
	const read = readerOf(functions);
	if (read('output') !== 'event') {
		const simplify = read('simplify') === true;
		return outputMaker(type, { simplified: simplify && type.simplified, includeEmptyFields: true });
	}
	const isWaitlist = read('status') === USER_STATUS_CODE.WAITLIST;
	const event = isWaitlist ? 'member.joined_waitlist' : 'member.joined';
	return (record) => {
		const member = { kind: 'user', record, key: memberKey(event, record) };
		return toItem({ event, entities: {} }, new Date().toISOString(), member);
	};
}
