import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../shared/failure';
import { user } from '../../shared/records/types';
import { FRESH_MS, type HttpAnswer } from '../../shared/transport';
import type { Item, Records } from '../run/item';
import { markSent, markSkipped, memberIn, planOfNothing, preview, type Plan } from '../run/plan';
import { shapeAnswer, withRoleName } from '../run/shape';

/** Replaces a member's role. If the previous role is known, the item contains it, so that the change can be undone. */
export async function updateRole(item: Item): Promise<Records> {
	await item.waitFor(item.lockRecord());
	return [await item.decide(async () => await decide(item))];
}

async function decide(item: Item): Promise<IDataObject> {
	const { people } = item.community;
	const { userId, roleId, onlyFrom } = item.input.values;
	// Whether the current role decides, so that it is read first and all items contain it.
	const isReading = item.needsRecord || onlyFrom !== undefined;
	if (isReading && performance.now() - (people.seen(userId).readAt ?? -Infinity) > FRESH_MS) {
		people.see(await item.fetch({ record: user, id: String(userId) }));
	}
	const { record: member = {}, readAt } = people.seen(userId);
	const decidedAt = isReading ? readAt : undefined;
	const { role_id: before = null } = member;
	const isSame = String(before) === String(roleId);
	const plan = planOf(item, member, isSame);
	if (onlyFrom !== undefined && !isSame && !isReplaceable(onlyFrom as string[], before))
		return kept(item, member);
	const skippedBy = onlyFrom === undefined ? {} : { skipped_by: null };
	const isSkipped = isSame && (item.skipsUnchanged || onlyFrom !== undefined);
	if (item.isDryRun) {
		countChange(item, before);
		return { ...preview(item, plan), ...skippedBy };
	}
	if (isSkipped) {
		const skipped = markSkipped(item, shapeAnswer({ body: {} }, item));
		return withPrevious(item, { ...skipped, changed: false, ...skippedBy }, before);
	}
	const sent = markSent(item, shapeAnswer(await setRole(item, member, decidedAt), item));
	countChange(item, before);
	if (before === null && !isReading) return sent;
	return withPrevious(
		item,
		{ ...sent, changed: String(before) !== String(roleId), ...skippedBy },
		before,
	);
}

function planOf(item: Item, member: IDataObject, isSame: boolean): Plan {
	const identifiers = { ...item.identifiers, ...memberIn(member) };
	if (isSame) return planOfNothing(identifiers);
	// The API may hide the role of this member.
	const { role_id: from = null } = member;
	const changes = { role_id: { from, to: item.input.values.roleId } };
	return { action: 'update', identifiers, changes, unknown: from === null ? ['role_id'] : [] };
}

async function setRole(item: Item, member: IDataObject, decidedAt?: number): Promise<HttpAnswer> {
	const { people } = item.community;
	const { userId, roleId } = item.input.values;
	people.forget(userId);
	const answer = await item.send({ ...item.request, decidedAt });
	// A later item of this run may be about the same member.
	people.see({ ...member, msid: String(userId), role_id: roleId as number });
	return answer;
}

function isReplaceable(roles: string[], role: unknown): boolean {
	if (role !== null) return roles.includes(String(role));
	throw new Failure(
		'The owner of the API key cannot see the role of this member',
		"Remove 'Only If Role Is' from the options, or use the API key of a member who can see roles.",
	);
}

/** The item of a member whose role "Only If Role Is" does not name. */
function kept(item: Item, member: IDataObject): IDataObject {
	const { username, role_id } = member;
	const { roleNames, run, input } = item;
	const role = roleNames?.get(String(role_id)) ?? String(role_id);
	run.notes.add('keptRole', `${String(username ?? input.values.userId)} stays ${role}`);
	const skipped = { skipped_by: 'onlyFrom' };
	if (item.isDryRun) return { ...preview(item, planOf(item, member, true)), ...skipped };
	const same = shapeAnswer({ body: {} }, item);
	delete same.role_name;
	const named = withRoleName({ ...same, role_id }, roleNames);
	return withPrevious(item, { ...named, changed: false, ...skipped }, role_id);
}

/** Counts a member who gets another role, by names if the run has listed the roles. */
function countChange({ run: { notes }, roleNames, input }: Item, before: unknown): void {
	const [from, to] = [before, input.values.roleId].map(String);
	if (before === null) return;
	if (from === to) return notes.add('sameRole');
	notes.add('newRole', [from, to].map((id) => roleNames?.get(id) ?? id).join(' → '));
}

/** Adds the previous role before what says how the change ended. */
function withPrevious({ roleNames }: Item, done: IDataObject, before: unknown): IDataObject {
	const { changed, skipped_by, success, message, ...fields } = done;
	const previous = withRoleName({ previous_role_id: before as number | null }, roleNames);
	const ending = Object.entries({ changed, skipped_by, success, message });
	const known = ending.filter(([, value]) => value !== undefined);
	return { ...fields, ...previous, ...Object.fromEntries(known) };
}
