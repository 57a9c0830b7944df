import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../../shared/transport';
import { carryOut } from '../carryOut';
import type { Plan } from '../changes';
import type { ItemContext, Strategy } from '../itemContext';
import { shapeAnswer } from '../output';
import { PresentRoles } from '../presentRoles';
import { recordKey } from './one';

/**
 * Gives members a role. With "Dry Run" or "Skip Unchanged", the present roles are read first, for all members of the run
 * together.
 */
export const updateRole: Strategy = {
	forRun(items) {
		const roles = new Map<Api, PresentRoles>();
		for (const item of items) {
			if (item === undefined) continue;
			const rolesOfApi = roles.get(item.api) ?? new PresentRoles();
			rolesOfApi.want(msidOf(item));
			roles.set(item.api, rolesOfApi);
		}
		return {
			send: async (item) => [await send(item, roles.get(item.api) ?? new PresentRoles())],
		};
	},
	send: async (item) => [await send(item, new PresentRoles())],
};

async function send(item: ItemContext, roles: PresentRoles): Promise<IDataObject> {
	const { request } = item;
	await item.waitFor(item.lockRecord(recordKey(request.path)));
	if (!item.isCompared) return shapeAnswer(await item.send(request), item);
	const msid = msidOf(item);
	const present = await roles.of(item, msid, request.identifiers);
	const plan = planOf(item, present);
	if (item.isDryRun && plan.action === 'update') hintAtNames(item);
	const done = await carryOut(item, plan, {
		unchanged: () => shapeAnswer({ body: {} }, item),
		async send() {
			roles.forget(msid);
			const answer = await item.send(request);
			roles.note(msid, item.input.values.roleId);
			return shapeAnswer(answer, item);
		},
	});
	return item.isDryRun || present === undefined ? done : withPrevious(done, present);
}

function hintAtNames({ input: { values, argumentFor }, notes }: ItemContext): void {
	// A model always gets the names.
	if (values.includeRoleName !== undefined || argumentFor) return;
	notes.ofOperation.add(
		'Roles are given by their numbers. Add Options → Include Role Name to get their names.',
	);
}

function planOf({ operation, input }: ItemContext, present: unknown): Plan {
	const { roleId } = input.values;
	const isSame = String(present) === String(roleId);
	return {
		action: isSame ? 'none' : 'update',
		identifiers: operation.identify?.(input) ?? {},
		changes: isSame ? {} : { role_id: { from: present ?? null, to: roleId } },
		notShown: present === undefined ? [input.labels.roleId] : [],
	};
}

// Inserted behind the new role, before the fields about the outcome.
function withPrevious({ changed, ...item }: IDataObject, present: unknown): IDataObject {
	return {
		...item,
		previous_role_id: present as number,
		...(changed === undefined ? {} : { changed }),
	};
}

function msidOf({ input }: Pick<ItemContext, 'input'>): string {
	return input.values.userId as string;
}
