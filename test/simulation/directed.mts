import type { INodeExecutionData } from 'n8n-workflow';
import { NO_FAULTS } from './api.mts';
import type { DeliveryStory } from './deliveries.mts';
import type { ExecutionPlan, ExecutionStory, Row } from './executions.mts';
import type { Gateway } from './gateways.mts';
import type { MixedStory } from './mixed.mts';
import { WORKING_DATABASE, type Parameters, type Told } from './n8n.mts';
import type { PollStory, Round } from './polls.mts';
import { PLAIN, World, type Setup } from './world.mts';

/** A row about a member, counted from zero. `what` is the position of a role, or of a board. */
export function row(who: number, what = 0): Row {
	return { who, what, isUnknown: false };
}

/** A row that names nobody. */
export function unknown(who = 0, what = 0): Row {
	return { who, what, isUnknown: true };
}

export function execution(plan: Partial<ExecutionPlan> & { rows: Row[] }): ExecutionPlan {
	return {
		at: 0,
		worker: 0,
		operation: 'updateRole',
		by: 'msid',
		option: 'none',
		leavesOut: false,
		continues: false,
		maxTries: 1,
		hasTime: false,
		...plan,
	};
}

export function storyOf(executions: ExecutionPlan[], setup: Partial<Setup> = {}): ExecutionStory {
	return { ...PLAIN, ...setup, executions, happenings: [], crashes: [] };
}

export function round(parts: Partial<Round> = {}): Round {
	return { before: [], during: [], faults: NO_FAULTS, restart: 'none', isDoubled: false, ...parts };
}

export function pollsOf(rounds: Round[], parts: Partial<PollStory> = {}): PollStory {
	return { ...PLAIN, watchesFor: 'memberJoined', includesDetails: true, rounds, ...parts };
}

/** One execution, one delivery and a poll beside them. */
export function mixedOf(parts: Partial<MixedStory> = {}): MixedStory {
	const arrived = { at: 10, event: 1, receiver: 0, worker: 0, secret: 'right' } as const;
	return {
		...storyOf([execution({ rows: [row(1, 2)], option: 'skipUnchanged' })]),
		deliveries: { deliveries: [arrived], confirmsWithApi: true },
		polls: { watchesFor: 'memberJoined', includesDetails: true, pausesMs: [20] },
		happenings: [{ at: 1, kind: 'join', who: 0, value: 0 }],
		...parts,
	};
}

/**
 * Three copies that reach three workers within some milliseconds, with a slow database. The event before them makes n8n's
 * row, which n8n refuses to make twice.
 */
export function threeCopies(seed: number): DeliveryStory {
	const secret = 'right';
	const copies = [0, 1, 2].map((worker) => {
		return { at: 2_000 + 15 * worker, event: 0, receiver: worker, worker, secret } as const;
	});
	return {
		...PLAIN,
		seed,
		workers: 3,
		database: { ...WORKING_DATABASE, stepMs: 60 },
		ignoresDuplicates: true,
		confirmsWithApi: false,
		crashes: [],
		deliveries: [{ at: 0, event: 1, receiver: 0, worker: 0, secret }, ...copies],
	};
}

/** Runs the action node once with these parameters for each item. */
export async function runNode(
	world: World,
	items: Parameters[],
	name = 'execution',
): Promise<Told> {
	const running = world.n8n.execute({
		name,
		process: world.worker(0),
		items,
		onError: 'continueRegularOutput',
		maxTries: 1,
		waitBetweenTries: 0,
		abort: new AbortController(),
		context: {},
		attempts: 0,
	});
	return await world.run(running, world.clock.now + 3_600_000, name);
}

/** Returns the items of an execution. Throws if it has failed. */
export function itemsOf(told: Told): INodeExecutionData[] {
	if (told.kind === 'returned') return told.items;
	throw new Error(`It ${told.kind}${told.kind === 'threw' ? `: ${told.error.message}` : ''}`);
}

/** Reads so many members in executions that start at once. Returns how many failed, and how long it took. */
export async function readMany(
	gateway: Gateway,
	{ executions, items, setup = {} }: { executions: number; items: number; setup?: Partial<Setup> },
): Promise<{ failed: number; seconds: number; world: World }> {
	const world = new World({ ...PLAIN, members: 20, ...setup });
	world.api.gateway = gateway;
	const parameters = Array.from({ length: items }, (_, at) => ({
		resource: 'user',
		operation: 'get',
		userId: { __rl: true, mode: 'id', value: `${1 + (at % 20)}.s${1 + (at % 20)}` },
		simplify: true,
		options: {},
	}));
	const all = Array.from({ length: executions }, async (_, at) =>
		world.n8n.execute({
			name: `execution ${at + 1}`,
			process: world.worker(0),
			items: parameters,
			onError: 'continueRegularOutput',
			maxTries: 1,
			waitBetweenTries: 0,
			abort: new AbortController(),
			context: {},
			attempts: 0,
		}),
	);
	const told = await world.run(Promise.all(all), 3_600_000, 'Reading');
	const seconds = world.clock.now / 1000;
	const failed = told.flatMap(itemsOf).filter(({ json }) => json.error !== undefined).length;
	return { failed, seconds, world };
}
