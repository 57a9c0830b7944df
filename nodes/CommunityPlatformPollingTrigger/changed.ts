import { sleep, type IDataObject, type IPollFunctions } from 'n8n-workflow';
import { Failure, isDeclined } from '../shared/failure';
import { refuseHidden } from '../shared/triggerParameters';
import { pages, type ListRequest } from '../shared/pagination';
import { recordKey } from '../shared/records/identity';
import { outputMaker } from '../shared/records/form';
import { USER_STATUS_CODE, USER_STATUSES } from '../shared/records/codes';
import { role, userDetailWithEmail, userList, type RecordType } from '../shared/records/types';
import { changeInWords, trimmed } from '../shared/text';
import type { Api } from '../shared/transport';
import { readerOf } from './properties';
import { readDetails } from './reading';
import { isSameMember, takeSnapshot, textOf, withLastShown } from './snapshot';
import type { KnownMembers, RecordsByUserId } from './snapshot';
import { loadCursor, saveCursor } from './storage';

const { ACTIVE, DELETED, WAITLIST } = USER_STATUS_CODE;
const MAX_MEMBERS_COMPARED = 20_000;
const TOO_MANY = 'The community has more than the 20,000 members that this trigger can compare';
const OTHER_WAY =
	'Build the comparison yourself: start a workflow with a Schedule Trigger, read the members with Member → Get Many, and compare them with a saved earlier list in a Compare Datasets node.';

/** The fields that show each change. The first one is compared. */
const FIELDS_OF: Record<string, string[] | undefined> = {
	role: ['role_id', 'role_name'],
	status: ['user_status', 'user_status_name'],
	username: ['username'],
	name: ['first_name'],
};

/** The changes that also apply to a member who has left. */
const WITH_MEMBERSHIP = ['role', 'status'];

const NOTHING_KNOWN: KnownMembers = { members: new Map() };

/** For a member who has left, `now` is the same as `before`. */
type Change = { before: IDataObject; now: IDataObject; changed: string[] };

/** Returns the changes of members since the last poll as items. The first poll returns none and only takes a snapshot. */
export async function findChanges(functions: IPollFunctions, api: Api): Promise<IDataObject[]> {
	const chosen = readerOf(functions)('changes') as string[];
	const kept = loadCursor(functions);
	const { members: last, address } = kept && 'members' in kept ? kept : NOTHING_KNOWN;
	const { listed, skippedStatuses } = await listMembers(api);
	const fields = ['user_status', ...chosen.flatMap((change) => FIELDS_OF[change]?.[0] ?? [])];
	// A hidden field would never change.
	for (const field of fields) {
		const what = field.replace('_id', '').replace('_', ' ');
		refuseHidden([...listed.values()], (each) => textOf(each[field]), `${what}s`, 'Changes');
	}
	// With another community, the trigger starts from now, because every community may count user_id from 1.
	const missingOf = (members: Array<[string, IDataObject]>) =>
		members.filter(([key, member]) => !isSameMember(member, listed.get(key)));
	const missing = missingOf([...last]);
	const mayBeAnother = address !== api.address || missing.every(([key]) => listed.has(key));
	const isAnother = mayBeAnother && missing.length === last.size;
	const [known, possiblyGone] = isAnother ? [new Map<string, IDataObject>(), []] : [last, missing];
	let unread = 0;
	const keepUnread = (member: IDataObject) => {
		unread++;
		return member;
	};
	const look = async ([key, member]: [string, IDataObject]) => {
		const isUnknown = skippedStatuses.includes(Number(member.user_status));
		// A list that changes while it is read can miss a member, so only one who is reported as gone has left.
		const found = isUnknown
			? keepUnread(member)
			: await readDetails(api, member).catch(() => keepUnread(member));
		if (found && Number(found.user_status) !== DELETED) listed.set(key, found);
	};
	await Promise.all(possiblyGone.map(look));
	// Between the comparisons of all members, n8n takes its turn.
	await sleep(0);
	const items = await toItems(functions, api, changesOf(known, listed, chosen));
	await sleep(0);
	const gone = missingOf(possiblyGone).length;
	if (unread > 0) api.log(`${unread} known members are in no list and cannot be read`);
	if (gone * 4 > known.size) api.log(`${gone} members left, or the API no longer returns them`);
	const members = [...listed].map(([key, member]) => withLastShown(member, known.get(key)));
	saveCursor(functions, { ...takeSnapshot(members), address: api.address });
	return items;
}

/** Returns the chosen changes of the members who were known before. */
export function changesOf(
	known: RecordsByUserId,
	listed: RecordsByUserId,
	chosen: string[],
): Change[] {
	const changes = [...known].map(([key, before]) => {
		const found = listed.get(key);
		const now = isSameMember(before, found) ? found : before;
		const changed = chosen.filter((change) => {
			if (change === 'left') return !isSameMember(before, found);
			// A field that the API leaves out may be hidden from the owner of the key.
			const [field = ''] = FIELDS_OF[change] ?? [];
			if (before[field] === now[field]) return false;
			const [old, current] = [before, now].map((member) => textOf(member[field]));
			return old !== '' && current !== '' && old !== current;
		});
		return { before, now, changed };
	});
	return changes.filter(({ changed }) => changed.length > 0);
}

/** Returns the newest member for a manual test, as if all chosen fields had changed. 'Left' counts only if it is alone. */
export async function findExample(functions: IPollFunctions, api: Api): Promise<IDataObject[]> {
	const chosen = readerOf(functions)('changes') as string[];
	const changed = chosen.length === 1 ? chosen : chosen.filter((change) => change !== 'left');
	const qs = { sort_by: 'joined', order: 'desc', status: ACTIVE };
	const [now] = await allRecords(api, { path: '/users', qs }, userList, 1);
	// As if somebody had been approved, the change of status that most workflows wait for.
	const before = { ...now, user_status: WAITLIST };
	return await toItems(functions, api, now ? [{ before, now, changed }] : []);
}

/** Lists the members of all statuses, and the statuses that the key cannot list. Deleted accounts count as gone. */
async function listMembers(
	api: Api,
): Promise<{ listed: RecordsByUserId; skippedStatuses: number[] }> {
	const listed: RecordsByUserId = new Map();
	const skippedStatuses: number[] = [];
	for (const status of USER_STATUSES.filter((each) => each !== DELETED)) {
		// In this order, members who join during the poll are added at the end.
		const listing = { path: '/users', qs: { sort_by: 'user_id', order: 'asc', status } };
		const most = MAX_MEMBERS_COMPARED + 1 - listed.size;
		const records = await allRecords(api, listing, userList, most).catch((error: unknown) => {
			if (status === ACTIVE || !(error instanceof Failure && isDeclined(error))) throw error;
			skippedStatuses.push(status);
			return [];
		});
		for (const record of records) {
			const key = recordKey(record, userList);
			// A member whose status changes during the poll is in two lists, and the later one is newer.
			if (key) listed.set(key, { ...record, user_status: record.user_status ?? status });
		}
		if (listed.size > MAX_MEMBERS_COMPARED) throw new Failure(TOO_MANY, OTHER_WAY);
	}
	return { listed, skippedStatuses };
}

async function allRecords(api: Api, listing: ListRequest, type: RecordType, limit = Infinity) {
	let all: IDataObject[] = [];
	const wanted = { limit, isPrefetching: true };
	for await (const { records } of pages(api, listing, type, wanted)) all = all.concat(records);
	return all;
}

async function toItems(functions: IPollFunctions, api: Api, changes: Change[]) {
	if (changes.length === 0) return [];
	const roles = await allRecords(api, { path: '/roles' }, role).catch((): IDataObject[] => []);
	const names = new Map(roles.map(({ role_id: id, role_name }) => [String(id), role_name]));
	const [type, all] = readerOf(functions)('options.includeDetails', false)
		? [userDetailWithEmail, await withDetails(api, changes)]
		: [userList, changes];
	const simplified = outputMaker(type, { simplified: type.simplified, includeEmptyFields: true });
	const toJson = (member: IDataObject): IDataObject => {
		return { ...simplified(member), role_name: names.get(String(member.role_id)) ?? null };
	};
	const prefix = functions.getMode() === 'manual' ? 'example: ' : '';
	return all.map(({ before, now, changed }) => {
		const [old, current] = [before, now].map(toJson);
		const hasLeft = changed.includes('left');
		const fields = (hasLeft ? WITH_MEMBERSHIP : changed).flatMap((each) => FIELDS_OF[each] ?? []);
		const previous = Object.fromEntries(fields.map((field) => [field, old[field]]));
		const lost = hasLeft && Object.fromEntries(fields.map((field) => [field, null]));
		const change = prefix + changed.map((each) => allInWords(each, old, current)).join(', ');
		return { change, ...current, ...lost, changed, previous };
	});
}

/** Adds the details of each member who is still there. Listed fields stay, because they were compared. */
async function withDetails(api: Api, changes: Change[]): Promise<Change[]> {
	let unread = 0;
	const read = async (change: Change): Promise<Change> => {
		if (change.changed.includes('left')) return change;
		const details = await readDetails(api, change.now).catch(() => void unread++);
		return { ...change, now: withLastShown(change.now, details) };
	};
	const all = await Promise.all(changes.map(read));
	if (unread > 0) api.log(`${unread} changed members could not be read and have no details`);
	return all;
}

function allInWords(change: string, old: IDataObject, current: IDataObject): string {
	const [field = '', name = field] = FIELDS_OF[change] ?? [];
	const [from, to] = [old, current].map((each) => trimmed(textOf(each[name] ?? each[field])));
	return changeInWords(change, from, to);
}
