import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../shared/failure';
import { user } from '../../shared/records/types';
import type { Item, Records } from '../run/item';
import { NO_CHANGE, markSent, markSkipped, previewRow } from '../run/plan';
import { noteRole, shapeAnswer, withRoleName } from '../run/shape';

/** How many milliseconds a member who was read in a search counts as read under the lock (docs/decisions.md, A37). */
const FRESH_MS = 5_000;

/** Replaces a member's role. If the previous role is known, the item contains it, so that the change can be undone. */
export async function updateRole(item: Item): Promise<Records> {
	await item.waitFor(item.lockRecord());
	const { roleId, onlyFrom } = item.input.values;
	// Whether the current role decides, so that it is read first and all items contain it.
	const isDecided = item.needsRecord || onlyFrom !== undefined;
	// The member shows whether a change whose answer was lost was made.
	const member = await memberNow(item, isDecided || item.lost !== undefined);
	const previousRoleId = (member.role_id as number | null | undefined) ?? null;
	const isSame = String(previousRoleId) === String(roleId);
	const change = { member, previousRoleId, isSame, isDecided };
	if (item.lost?.json && isSame) return [madeBefore(item, item.lost.json)];
	if (!isSame && !isReplaceable(onlyFrom as string[] | undefined, previousRoleId))
		return [skipByRole(item, change)];
	if (item.isDryRun) return [plan(item, change)];
	if (isSame && (item.skipsUnchanged || onlyFrom !== undefined)) return [skip(item, change)];
	return [await send(item, change)];
}

/** A member, the role that they have, and whether it is the wanted one. */
interface Change {
	member: IDataObject;
	/** Null if the API does not return it, or if it was not read. */
	previousRoleId: number | null;
	isSame: boolean;
	/** Whether the previous role decides what is sent. */
	isDecided: boolean;
}

/**
 * Returns the member as they are now. If the role does not decide, a list of a moment ago will do, and nothing is read. Then
 * the role may be unknown.
 */
async function memberNow(item: Item, isDecided: boolean): Promise<IDataObject> {
	const { people, planned } = item.community;
	const { userId } = item.input.values;
	const { record = {}, askedAt = -Infinity, isRead } = people.seen(userId);
	const isFresh = performance.now() - askedAt <= FRESH_MS && !item.isWrittenSince(askedAt);
	if (isFresh && (isRead || !isDecided)) return { ...record, ...planned.get(item.key) };
	if (!isDecided) return { ...record, role_id: null };
	const now = performance.now();
	const member = await item.fetch({ record: user, id: String(userId) });
	people.see(member, now);
	return { ...member, ...planned.get(item.key) };
}

async function send(item: Item, change: Change): Promise<IDataObject> {
	const { people } = item.community;
	const { member, previousRoleId, isSame, isDecided } = change;
	const { userId, roleId } = item.input.values;
	const itemOf = (body: unknown) => {
		const sent = markSent(item, shapeAnswer({ body }, item));
		if (previousRoleId === null && !isDecided) return sent;
		return withPrevious(item, { ...sent, changed: !isSame, ...skippedBy(item) }, previousRoleId);
	};
	const request = isDecided ? { ...item.request, isDecided } : item.request;
	const { body } = await item.send(request).catch((error: unknown) => {
		if (item.done === 'unknown') item.lost = { json: itemOf({}) };
		throw error;
	});
	// A later item of this run may be about the same member.
	people.see(Object.assign(member, { msid: String(userId), role_id: roleId }), performance.now());
	noteRole(item, previousRoleId);
	return itemOf(body);
}

function skip(item: Item, { previousRoleId }: Change): IDataObject {
	const skipped = markSkipped(item, shapeAnswer({ body: {} }, item));
	return withPrevious(item, { ...skipped, changed: false, ...skippedBy(item) }, previousRoleId);
}

function madeBefore(item: Item, json: IDataObject): IDataObject {
	item.done = 'before';
	noteRole(item, json.previous_role_id);
	return json;
}

/** The item of a dry run, with the columns that an item has after the change. */
function plan(item: Item, { member, previousRoleId, isSame }: Change): IDataObject {
	const { community, input, roleNames, run } = item;
	const { roleId } = input.values;
	noteRole(item, previousRoleId);
	if (previousRoleId === null) run.notes.add('notReturned', input.labels.roleId);
	community.planned.set(item.key, { role_id: roleId as number });
	const [from, to] = [previousRoleId, roleId].map((id) => roleNames?.get(String(id)) ?? id);
	const change = isSame ? NO_CHANGE : `role: ${String(from ?? 'not shown')} → ${String(to)}`;
	const ids = { role_id: roleId as number, previous_role_id: previousRoleId };
	const columns = withRoleName({ ...ids, ...item.identifiers }, roleNames);
	const action = isSame ? 'none' : 'update';
	const row = previewRow(item, { action, change, columns, names: usernameOf(member) });
	return { ...row, ...skippedBy(item) };
}

/** Whether a role is one of those to replace. Throws a Failure if there are such roles, but the API hides the role. */
function isReplaceable(roles: string[] | undefined, role: number | null): boolean {
	if (roles === undefined) return true;
	if (role !== null) return roles.includes(String(role));
	throw new Failure(
		'The owner of the API key cannot see the role of this member',
		"Remove 'Only If Current Role Is' from the options, or use the API key of a member who can see roles.",
	);
}

/** The item of a member whose role "Only If Current Role Is" does not name. */
function skipByRole(item: Item, { member, previousRoleId }: Change): IDataObject {
	const { roleNames, run, input } = item;
	const role = roleNames?.get(String(previousRoleId)) ?? String(previousRoleId);
	run.notes.add('skippedByRole', `${String(member.username ?? input.values.userId)} stays ${role}`);
	const skipped = { skipped_by: 'onlyFrom' };
	const ids = { role_id: previousRoleId, previous_role_id: previousRoleId };
	if (item.isDryRun) {
		const columns = withRoleName({ ...ids, ...item.identifiers }, roleNames);
		const names = usernameOf(member);
		const row = previewRow(item, { action: 'none', change: NO_CHANGE, columns, names });
		return { ...row, ...skipped };
	}
	const same = shapeAnswer({ body: {} }, item);
	delete same.role_name;
	const named = withRoleName({ ...same, role_id: previousRoleId }, roleNames);
	return withPrevious(item, { ...named, changed: false, ...skipped }, previousRoleId);
}

function usernameOf({ username }: IDataObject): IDataObject {
	return username ? { username } : {};
}

// With 'Only If Current Role Is', all items have the field.
function skippedBy({ input }: Item): IDataObject {
	return input.values.onlyFrom === undefined ? {} : { skipped_by: null };
}

/** Adds the previous role before what says how the change ended. */
function withPrevious(
	{ roleNames }: Item,
	done: IDataObject,
	previousRoleId: number | null,
): IDataObject {
	const { changed, skipped_by, success, message, ...fields } = done;
	const previous = withRoleName({ previous_role_id: previousRoleId }, roleNames);
	const ending = Object.entries({ changed, skipped_by, success, message });
	const known = ending.filter(([, value]) => value !== undefined);
	return { ...fields, ...previous, ...Object.fromEntries(known) };
}
