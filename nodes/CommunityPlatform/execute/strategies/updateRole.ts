import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../../shared/failure';
import { user } from '../../../shared/records/types';
import { FRESH_MS, type HttpAnswer } from '../../../shared/transport';
import type { Item } from '../item';
import { markSent, markSkipped, memberIn, planOfUpdate, preview, type Plan } from '../plan';
import { shapeAnswer, withRoleName } from '../shape';

/** Replaces a member's role. If the previous role is known, the item contains it, so that the change can be undone. */
export async function updateRole(item: Item): Promise<IDataObject[]> {
	await item.waitFor(item.lockRecord());
	return [await item.decide(async () => await decideRole(item))];
}

async function decideRole(item: Item): Promise<IDataObject> {
	const { directory, input } = item;
	const { userId, onlyFrom } = input.values;
	const needsRole = item.needsRecord || onlyFrom !== undefined;
	const { members } = directory;
	if (needsRole && performance.now() - (members.readAt(userId) ?? -Infinity) > FRESH_MS) {
		members.see(await item.fetch({ record: user, id: String(userId) }));
	}
	const decidedAt = needsRole ? members.readAt(userId) : undefined;
	const member = members.seen(userId) ?? {};
	const { role_id: before } = member;
	const plan = planOf(item, member);
	const isSame = plan.action === 'none';
	if (onlyFrom !== undefined && !isReplaceable(onlyFrom as string[], before) && !isSame) {
		return skippedItem(item, member);
	}
	const isSkipped = isSame && (item.skipsUnchanged || onlyFrom !== undefined);
	const done = item.isDryRun || isSkipped ? { body: {} } : await setRole(item, member, decidedAt);
	if (item.isDryRun) return preview(item, plan);
	const json = shapeAnswer(done, item);
	return withPrevious(item, isSkipped ? markSkipped(item, json) : markSent(item, json), before);
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
	if (role !== undefined && role !== null) return roles.includes(String(role));
	throw new Failure(
		'The owner of the API key cannot see the role of this member',
		"Remove 'Only From' from the options, or use the API key of a member who can see roles.",
	);
}

/** The item of a member whose role "Only From" does not name. */
function skippedItem(item: Item, member: IDataObject): IDataObject {
	const { identifiers, roleNames, run } = item;
	const skipped = { skipped_by: 'onlyFrom' };
	run.summary.skippedRoles++;
	const shown = { ...identifiers, ...memberIn(member) };
	const plan: Plan = { action: 'none', identifiers: shown, changes: {}, notReturned: [] };
	if (item.isDryRun) {
		const { changes, ...row } = preview(item, plan);
		return { ...row, ...skipped, changes };
	}
	const { role_id } = member;
	const json = { ...shown, role_id, previous_role_id: role_id, changed: false, ...skipped };
	return withRoleName(json, roleNames);
}

function planOf(item: Item, member: IDataObject) {
	// The API may hide the role of this member.
	const isNeverReturned = (member.role_id ?? null) === null;
	const fields = item.run.prepared.bodyFields.filter(({ sentAs }) => sentAs === 'role_id');
	const compared = fields.map((each) => ({ ...each, isNeverReturned }));
	return planOfUpdate(member, { role_id: item.input.values.roleId as number }, compared, item);
}

function withPrevious(item: Item, done: IDataObject, before: unknown): IDataObject {
	if (before === undefined || before === null) return done;
	const { roleNames, input } = item;
	const { success, message, ...fields } = done;
	const previous = { previous_role_id: before as number };
	return {
		...fields,
		...withRoleName(previous, roleNames),
		changed: String(before) !== String(input.values.roleId),
		...(success !== undefined && { success }),
		...(message !== undefined && { message }),
	};
}
