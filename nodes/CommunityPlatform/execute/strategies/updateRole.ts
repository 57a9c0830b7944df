import type { IDataObject } from 'n8n-workflow';
import { user } from '../../../shared/records/types';
import type { Item, Strategy } from '../item';
import { personIn, shapeAnswer, withRoleName } from '../shape';
import type { Plan } from '../plan';
import { sendUnlessPlanned } from '../plan';

/** Gives a member a role. Where the previous one is known, the item has it, so that the change can be taken back. */
export const updateRole: Strategy = {
	async send(item) {
		await item.waitFor(item.lockRecord());
		const { names, run, input, request } = item;
		const { userId } = input.values;
		// Among many, the own role is easily overlooked.
		const isOwner = run.items.length > 1 && (await names.members.isOwner(userId));
		if (item.needsRecord && !names.members.get(userId)) {
			names.members.remember(await item.read({ record: user, id: String(userId) }));
		}
		const member = names.members.get(userId) ?? {};
		const { role_id: before } = member;
		const noteOwner = isOwner ? await ownerNoter(item, before) : () => {};
		const send = async () => {
			const answer = shapeAnswer(await item.send(request), item);
			// A later item of this run may be about the same member.
			member.role_id = input.values.roleId as number;
			return answer;
		};
		const unchanged = () => shapeAnswer({ body: {} }, item);
		const done = item.needsRecord
			? await sendUnlessPlanned(item, planOf(item, member), send, unchanged)
			: await send();
		noteOwner();
		if (item.isDryRun) return [done];
		const told = withPrevious(item, done, before);
		if (!item.needsRecord && told.changed === false) run.notes.hadTheRole++;
		return [told];
	},
};

// What it needs is read before the change: once that is made, nothing may fail any more.
async function ownerNoter({ names, run, input }: Item, before: unknown): Promise<() => void> {
	const { roleId } = input.values;
	if (before === undefined || String(before) === String(roleId)) return () => {};
	const roles = await names.roleNamesIfShown();
	const nameOf = (id: unknown) => roles?.get(String(id)) ?? String(id);
	return () => {
		run.notes.ownRole = { from: nameOf(before), to: nameOf(roleId) };
	};
}

function planOf({ run, input }: Item, member: IDataObject): Plan {
	const { roleId } = input.values;
	const from = member.role_id ?? null;
	const isSame = String(from) === String(roleId);
	return {
		action: isSame ? 'none' : 'update',
		identifiers: { ...run.task.operation.identify?.(input), ...personIn(member) },
		changes: isSame ? {} : { role_id: { from, to: roleId } },
		notShown: from === null ? [input.labels.roleId] : [],
	};
}

function withPrevious({ roleNames, input }: Item, done: IDataObject, before: unknown): IDataObject {
	if (before === undefined || before === null) return done;
	const { success, message, ...told } = done;
	const previous = { previous_role_id: before as number };
	return {
		...told,
		...withRoleName(previous, roleNames),
		changed: String(before) !== String(input.values.roleId),
		...(success !== undefined && { success }),
		...(message !== undefined && { message }),
	};
}
