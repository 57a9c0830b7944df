import type { Operation } from '../actions/operation';
import type { Effect } from '../../shared/transport';
import type { Input } from '../actions/field';
import type { Item, Records, Strategy } from '../run/item';
import { createOnce } from '../run/tries';
import { planOfUnread, preview } from '../run/plan';
import type { Run } from '../run/run';
import { shapeAnswer } from '../run/shape';
import { updateMembers } from './boardMembers';
import { createOrGet } from './createOrGet';
import { requireFreeName } from './freeName';
import { count, listing } from './listing';
import { reorder } from './boardOrder';
import { replace, requireUpdate } from './replace';
import { updateRole } from './updateRole';
import { upsert } from './upsert';

const STRATEGIES: Record<NonNullable<Operation['strategy']>['name'], Strategy> = {
	count,
	createOrGet,
	listing,
	reorder,
	replace,
	updateMembers,
	updateRole,
	upsert,
};

/** How an operation without a strategy is carried out: with one request. */
const ONE_REQUEST: Record<Effect, Strategy> = { reads: read, creates: create, sets: set };

/** Checks what an operation needs before anything is sent. Throws a Failure. */
export function checkInput(run: Run, input: Input): void {
	const { strategy, check } = run.prepared.operation;
	if (strategy?.name === 'replace') requireUpdate(run, input);
	check?.(input);
}

/** Returns how an operation is carried out, by default with one request. */
export function strategyOf({ strategy, effect }: Operation): Strategy {
	if (strategy) return STRATEGIES[strategy.name];
	return ONE_REQUEST[effect];
}

async function read(item: Item): Promise<Records> {
	const { community, input, request } = item;
	// A search may have just read the member.
	const body = community.people.read(input.values.userId);
	return [shapeAnswer(body ? { body } : await item.send(request), item)];
}

async function create(item: Item): Promise<Records> {
	if (item.isDryRun) {
		await requireFreeName(item, item.input.body.name);
		return [preview(item, planOfUnread(item))];
	}
	await item.waitFor(item.lockCreates());
	return [shapeAnswer(await createOnce(item), item)];
}

async function set(item: Item): Promise<Records> {
	if (item.isDryRun) return [preview(item, planOfUnread(item))];
	await item.waitFor(item.lockRecord());
	return [shapeAnswer(await item.send(item.request), item)];
}
