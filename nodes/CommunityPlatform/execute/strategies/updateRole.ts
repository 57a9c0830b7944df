import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../../shared/failure';
import { user } from '../../../shared/records/types';
import { FRESH_MS, type HttpAnswer } from '../../../shared/transport';
import type { Item } from '../item';
import { markSent, markSkipped, planOfUpdate, preview } from '../plan';
import { shapeAnswer, withRoleName } from '../shape';

/** Replaces a member's role. If the previous role is known, the item contains it, so that the change can be undone. */
export async function updateRole(item: Item): Promise<IDataObject[]> {
	await item.waitFor(item.lockRecord());
	return [await item.decide(async () => await decideRole(item))];
}

async function decideRole(item: Item): Promise<IDataObject> {
	const { members } = item.directory;
	const { userId, roleId, onlyFrom } = item.input.values;
	const isReading = comparesRoles(item);
	if (isReading && performance.now() - (members.readAt(userId) ?? -Infinity) > FRESH_MS) {
		members.see(await item.fetch({ record: user, id: String(userId) }));
	}
	const decidedAt = isReading ? members.readAt(userId) : undefined;
	const member = members.seen(userId) ?? {};
	const { role_id: before = null } = member;
	const plan = planOf(item, member);
	const isSame = plan.action === 'none';
	if (onlyFrom !== undefined && !isSame && !isReplaceable(onlyFrom as string[], before)) {
		return keptItem(item, member);
	}
	const skippedBy = onlyFrom === undefined ? {} : { skipped_by: null };
	if (item.isDryRun) {
		countChange(item, before);
		return { ...preview(item, plan), ...skippedBy };
	}
	const isSkipped = isSame && (item.skipsUnchanged || onlyFrom !== undefined);
	const done = isSkipped ? { body: {} } : await setRole(item, member, decidedAt);
	if (!isSkipped) countChange(item, before);
	const json = shapeAnswer(done, item);
	const marked = isSkipped ? markSkipped(item, json) : markSent(item, json);
	if (before === null && !isReading) return marked;
	const changed = before === null ? !isSkipped : String(before) !== String(roleId);
	return withPrevious(item, { ...marked, changed, ...skippedBy }, before);
}

/** Whether the current role decides, so that it is read first and all items contain it. */
function comparesRoles(item: Item): boolean {
	return item.needsRecord || item.input.values.onlyFrom !== undefined;
}

async function setRole(item: Item, member: IDataObject, decidedAt?: number): Promise<HttpAnswer> {
	const { members } = item.directory;
	const { userId, roleId } = item.input.values;
	members.forget(userId);
	const answer = await item.send({ ...item.request, decidedAt });
	// A later item of this run may be about the same member.
	members.see({ ...member, msid: String(userId), role_id: roleId as number });
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
function keptItem(item: Item, member: IDataObject): IDataObject {
	const { username, role_id } = member;
	const { roleNames, run, input } = item;
	const role = roleNames?.get(String(role_id)) ?? String(role_id);
	run.summary.keptRoles.push(`${String(username ?? input.values.userId)} stays ${role}`);
	const skipped = { skipped_by: 'onlyFrom' };
	if (item.isDryRun) {
		return {
			...preview(item, { ...planOf(item, member), action: 'none', changes: {} }),
			...skipped,
		};
	}
	const kept = shapeAnswer({ body: {} }, item);
	delete kept.role_name;
	const named = withRoleName({ ...kept, role_id }, roleNames);
	return withPrevious(item, { ...named, changed: false, ...skipped }, role_id);
}

function planOf(item: Item, member: IDataObject) {
	// The API may hide the role of this member.
	const isNeverReturned = (member.role_id ?? null) === null;
	const fields = item.run.prepared.bodyFields.filter(({ sentAs }) => sentAs === 'role_id');
	const compared = fields.map((each) => ({ ...each, isNeverReturned }));
	return planOfUpdate(member, { role_id: item.input.values.roleId as number }, compared, item);
}

/** Counts a member who gets another role, by names if the run has listed the roles. */
function countChange({ run: { summary }, roleNames, input }: Item, before: unknown): void {
	const [from, to] = [before, input.values.roleId].map(String);
	if (before === null) return;
	if (from === to) return void summary.sameRole++;
	const change = [from, to].map((id) => roleNames?.get(id) ?? id).join(' → ');
	summary.newRoles.set(change, (summary.newRoles.get(change) ?? 0) + 1);
}

/** Adds the previous role before what says how the change ended. */
function withPrevious({ roleNames }: Item, done: IDataObject, before: unknown): IDataObject {
	const { changed, skipped_by, success, message, ...fields } = done;
	const previous = withRoleName({ previous_role_id: before as number | null }, roleNames);
	const ending = Object.entries({ changed, skipped_by, success, message });
	const known = ending.filter(([, value]) => value !== undefined);
	return { ...fields, ...previous, ...Object.fromEntries(known) };
}
