import type { IDataObject } from 'n8n-workflow';
import { user } from '../../../shared/records/types';
import type { Item, Strategy } from '../item';
import { markSent, markSkipped, planOfUpdate, preview } from '../plan';
import { shapeAnswer, withRoleName } from '../shape';
import type { RunSummary } from '../summary';

/** Gives a member a role. Where the previous one is known, the item has it, so that the change can be taken back. */
export const updateRole: Strategy = {
	async send(item) {
		await item.waitFor(item.lockRecord());
		const { directory, run, input, request } = item;
		const { userId, roleId } = input.values;
		// Among many, the own role is easily overlooked.
		const isOwner = run.items.length > 1 && (await directory.members.isOwner(userId));
		// A model does not know the previous role, without which it cannot take the change back.
		if ((item.needsRecord || run.isTool) && !directory.members.person(userId)) {
			directory.members.keepPerson(await item.read({ record: user, id: String(userId) }));
		}
		const member = directory.members.person(userId) ?? {};
		const { role_id: before } = member;
		const ownRole = isOwner ? await ownRoleOf(item, before) : undefined;
		const plan = planOf(item, member);
		const isSkipped = item.skipsUnchanged && plan.action === 'none';
		const isSent = !item.isDryRun && !isSkipped;
		if (isSent) directory.members.forgetPerson(userId);
		const answer = isSent ? await item.send(request) : { body: {} };
		run.summary.ownRole = ownRole ?? run.summary.ownRole;
		if (item.isDryRun) return [preview(item, plan)];
		// A later item of this run may be about the same member.
		if (isSent)
			directory.members.keepPerson({ ...member, msid: String(userId), role_id: roleId as number });
		const done = shapeAnswer(answer, item);
		const json = isSent ? markSent(item, done) : markSkipped(item, done);
		return [withPrevious(item, json, before)];
	},
};

// Listed before the change: once that is made, nothing may fail any more.
async function ownRoleOf(
	{ directory, input }: Item,
	before: unknown,
): Promise<RunSummary['ownRole']> {
	const { roleId } = input.values;
	if (before === undefined || String(before) === String(roleId)) return undefined;
	const roles = await directory.namesIfShown('role');
	const nameOf = (id: unknown) => roles?.get(String(id)) ?? String(id);
	return { from: nameOf(before), to: nameOf(roleId) };
}

function planOf(item: Item, member: IDataObject) {
	// The API may hide the role of this member.
	const isNeverShown = (member.role_id ?? null) === null;
	const fields = item.run.prepared.bodyFields.filter(({ sentAs }) => sentAs === 'role_id');
	const compared = fields.map((each) => ({ ...each, isNeverShown }));
	return planOfUpdate(member, { role_id: item.input.values.roleId as number }, compared, item);
}

function withPrevious({ roleNames, input }: Item, done: IDataObject, before: unknown): IDataObject {
	if (before === undefined || before === null) return done;
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
