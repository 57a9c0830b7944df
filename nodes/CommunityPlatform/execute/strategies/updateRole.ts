import type { IDataObject } from 'n8n-workflow';
import { user } from '../../../shared/records/types';
import type { Item, Strategy } from '../item';
import { shapeAnswer } from '../output';
import type { Plan } from '../plan';
import { carryOut } from '../plan';

/** Gives a member a role. With "Dry Run" or "Skip Unchanged", the member is read first. */
export const updateRole: Strategy = {
	async send(item) {
		await item.waitFor(item.lockRecord());
		const send = async () => shapeAnswer(await item.send(item.request), item);
		if (!item.isCompared) return [await send()];
		const current = await currentRole(item);
		const unchanged = () => shapeAnswer({ body: {} }, item);
		const done = await carryOut(item, planOf(item, current), send, unchanged);
		return [item.isDryRun || current === undefined ? done : withPrevious(done, current)];
	},
};

async function currentRole(item: Item): Promise<unknown> {
	const { path, identifiers } = item.request;
	const expects = { record: user, id: String(item.input.values.userId) };
	const { body } = await item.send({ method: 'GET', repeat: 'safe', path, identifiers, expects });
	return (body as IDataObject).role_id ?? undefined;
}

function planOf({ task, input }: Item, current: unknown): Plan {
	const { roleId } = input.values;
	const isSame = String(current) === String(roleId);
	return {
		action: isSame ? 'none' : 'update',
		identifiers: task.operation.identify?.(input) ?? {},
		changes: isSame ? {} : { role_id: { from: current ?? null, to: roleId } },
		notShown: current === undefined ? [input.labels.roleId] : [],
	};
}

// Behind what was set, before "changed".
function withPrevious({ changed, ...item }: IDataObject, current: unknown): IDataObject {
	const outcome = changed === undefined ? {} : { changed };
	return { ...item, previous_role_id: current as number, ...outcome };
}
