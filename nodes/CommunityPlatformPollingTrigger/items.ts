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

/** Returns a function that makes items of the members that the filters keep. Pass it the `unread` members again later. */
export function itemMaker(functions: IPollFunctions, api: Api) {
	const filters = readFilters(functions);
	let isShown = filters.domains.length === 0;
	const read = readerOf(functions);
	const isRead = read('options.includeDetails', false) === true || !isShown;
	const toJson = shaper(functions, isRead ? userDetailWithEmail : userList);
	const status = read('status') as number;
	const tolerated = functions.getMode() === 'manual' ? 0 : 1;
	return async (found: IDataObject[], reading: Partial<Reading>, again: Unread[] = []) => {
		const members = found.filter(matchesMember({ ...filters, domains: [] }));
		const [toRead, others] = isRead ? [members, []] : [[], members];
		const listed = reading.records ?? [];
		const { read: details, failed, reason } = await readAll(api, toRead, again, listed);
		// The failure may be due to one member, to those who failed before, or to the time limit.
		const isTolerated = failed.length <= Math.max(again.length, tolerated);
		const isCut = reading.obstacle !== undefined || api.cancellation.isCancelled;
		const mayBeTheApi = reason !== undefined && details.length === 0 && !isTolerated && !isCut;
		if (mayBeTheApi && !(await canReadAnother(api, without(listed, [...found, ...again]))))
			throw reason;
		const why = reason === undefined ? NOT_YET : asFailure(reason).message;
		const unread = failed.flatMap(({ member, polls }) =>
			polls < MAX_POLLS ? { ...member, polls } : [],
		);
		const text = `${unread.length} new members could not be read, so the next poll tries again: ${why}`;
		if (unread.length > 0) api.log(text);
		isShown ||= details.some(hasEmail);
		if (!isShown && details.length > 0)
			isShown = await showsEmail(api, reading.records ?? [], found);
		const givenUp = failed.filter(({ polls }) => polls >= MAX_POLLS).map(({ member }) => member);
		const names = givenUp.map(idOf).join(', ');
		const last = `${givenUp.length} new members could not be read in ${MAX_POLLS} polls, so the trigger returns them as listed, or leaves them out if a filter needs more (${why}): ${names}`;
		if (givenUp.length > 0) api.log(last);
		// The API may write the status as a word.
		const isStill = ({ user_status: now }: IDataObject) =>
			[status, NaN].includes(Number(now ?? status));
		const kept = givenUp.concat(details).filter(matchesMember(filters)).filter(isStill);
		return { items: kept.concat(others).map(toJson), unread };
	};
}

const NOT_YET = 'the API does not find them yet';

const hasEmail = ({ email }: IDataObject) => email;

/**
 * Reads new members, and `again` those that an earlier poll could not read. Only these can be gone, and only if this poll
 * has not listed them.
 */
async function readAll(
	api: Api,
	found: IDataObject[],
	again: Unread[] = [],
	listed: IDataObject[] = [],
) {
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

/** Returns true, or throws a Failure if the API returns an email address only for the owner of the key. */
async function showsEmail(api: Api, listed: IDataObject[], found: IDataObject[]): Promise<true> {
	const others = without(listed, found);
	const looked: IDataObject[] = [];
	while (others.length > 0 && looked.filter(hasEmail).length < 2) {
		looked.push(...(await readAll(api, others.splice(0, LOOKED_AT_ONCE))).read);
	}
	refuseHidden(looked, hasEmail, 'email addresses', 'Email Domains');
	return true;
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
