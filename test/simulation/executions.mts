import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { msidOf } from './community.mts';
import type { Execution, Parameters, Told } from './n8n.mts';
import { World, type Arrange, type Happening, type Setup } from './world.mts';
import { happening, setup } from './plans.mts';

const OPERATIONS = [
	'updateRole',
	'update',
	'createOrGet',
	'updateMembers',
	'post',
	'tag',
	'get',
] as const;

export type Operation = (typeof OPERATIONS)[number];

const OPTIONS = ['none', 'skipUnchanged', 'onlyFrom', 'onlyChanged', 'dryRun'] as const;

export interface Row {
	/** Which member, board member or tag, by position. */
	who: number;
	/** Which role, or whether to add or remove. */
	what: number;
	/** Whether it names nobody. */
	isUnknown: boolean;
}

export interface ExecutionPlan {
	at: number;
	worker: number;
	operation: Operation;
	by: 'msid' | 'username' | 'email';
	option: (typeof OPTIONS)[number];
	leavesOut: boolean;
	continues: boolean;
	/** How often n8n runs the node at most. */
	maxTries: number;
	/** Whether the details of a change contain the time, so that they differ in each attempt. */
	hasTime: boolean;
	batching?: { batchSize: number; batchInterval: number };
	cancelAfterMs?: number;
	rows: Row[];
}

interface Crash {
	at: number;
	worker: number;
}

export interface ExecutionStory extends Setup {
	executions: ExecutionPlan[];
	happenings: Happening[];
	crashes: Crash[];
}

/** One execution of a story, and how it ended. */
export interface Run {
	/** For texts, counted from 1. */
	number: number;
	plan: ExecutionPlan;
	execution: Execution;
	/** The names as they were entered, and the member who had each of them then. */
	rows: Array<{ name: string; msid?: string; tag: string; row: Row }>;
	startedAt: number;
	endedAt: number;
	canceledAt?: number;
	told: Told;
}

const row = fc.record<Row>({
	who: fc.nat(9),
	what: fc.nat(3),
	isUnknown: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.boolean()),
});

const rarely = <T,>(arbitrary: fc.Arbitrary<T>, weight = 6) =>
	fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

export const plan = fc.record<ExecutionPlan>({
	at: fc.oneof(fc.constant(0), fc.nat(4_000)),
	worker: fc.nat(3),
	operation: fc.constantFrom('updateRole', 'updateRole', ...OPERATIONS),
	by: fc.constantFrom('msid', 'username', 'email'),
	option: fc.constantFrom('none', ...OPTIONS),
	leavesOut: fc.boolean(),
	continues: fc.boolean(),
	maxTries: fc.constantFrom(1, 1, 2, 3),
	hasTime: fc.boolean(),
	batching: rarely(
		fc.record({ batchSize: fc.integer({ min: 1, max: 3 }), batchInterval: fc.nat(2_000) }),
	),
	cancelAfterMs: rarely(fc.nat(3_000), 12),
	rows: fc.array(row, { minLength: 1, maxLength: 8 }),
});

/** Stories of one to eight executions at once. */
export const executionStory: fc.Arbitrary<ExecutionStory> = fc
	.record({
		setup,
		executions: fc.array(plan, { minLength: 1, maxLength: 8 }),
		happenings: fc.oneof(fc.constant<Happening[]>([]), fc.array(happening, { maxLength: 5 })),
		crashes: fc.oneof(
			{ weight: 9, arbitrary: fc.constant<Crash[]>([]) },
			fc.array(fc.record({ at: fc.nat(4_000), worker: fc.nat(3) }), { maxLength: 2 }),
		),
	})
	.map(({ setup: base, ...rest }) => ({ ...base, ...rest }));

/** Runs a story, and returns its world and its executions. */
export async function tell(
	story: ExecutionStory,
	arrange: Arrange = () => {},
): Promise<{ world: World; runs: Run[] }> {
	const world = new World(story);
	arrange(world);
	const { runs, all } = begin(world, story);
	await world.run(all, timeFor(story), `One of ${story.executions.length} executions`);
	return { world, runs };
}

/** Begins what happens in a story. Returns its executions, and what ends with the last of them. */
export function begin(world: World, story: ExecutionStory): { runs: Run[]; all: Promise<unknown> } {
	const { now } = world.clock;
	for (const { at, ...each } of story.happenings) world.at(now + at, () => world.happen(each));
	for (const { at, worker } of story.crashes) world.at(now + at, () => world.crash(worker));
	const runs: Run[] = [];
	const all = story.executions.map(async (each, index) => {
		await world.clock.sleep(each.at, world);
		const run = start(world, each, index + 1);
		runs.push(run);
		if (each.cancelAfterMs !== undefined) {
			world.at(world.clock.now + each.cancelAfterMs, () => {
				if (run.endedAt < Infinity) return;
				run.canceledAt = world.clock.now;
				world.chronicle.say(`${run.execution.name} is canceled`);
				run.execution.abort.abort();
			});
		}
		run.told = await world.n8n.execute(run.execution);
		run.endedAt = world.clock.now;
	});
	return { runs, all: Promise.all(all) };
}

function start(world: World, each: ExecutionPlan, number: number): Run {
	const rows = each.rows.map((own, at) => ({
		...named(world, each, own),
		tag: `e${number}i${at}`,
		row: own,
	}));
	const execution: Execution = {
		name: `execution ${number}`,
		process: world.worker(each.worker),
		items: rows.map((one, at) => parametersOf(world, each, one, at)),
		onError: each.continues ? 'continueRegularOutput' : 'stopWorkflow',
		maxTries: each.maxTries,
		waitBetweenTries: 1_000,
		abort: new AbortController(),
		context: {},
		attempts: 0,
	};
	const startedAt = world.clock.now;
	return {
		number,
		plan: each,
		execution,
		rows,
		startedAt,
		endedAt: Infinity,
		told: { kind: 'canceled' },
	};
}

function named({ community }: World, { operation, by }: ExecutionPlan, { who, isUnknown }: Row) {
	const isCreate = operation === 'createOrGet';
	if (isUnknown) {
		const key = isCreate ? 'email' : by;
		const unknown = {
			msid: `${900 + who}.zz`,
			username: `nobody${who}`,
			email: `nobody${who}@x.io`,
		};
		return { name: unknown[key] };
	}
	const member = community.members[who % community.members.length];
	const msid = msidOf(member);
	return { name: { ...member, msid }[isCreate ? 'email' : by], msid };
}

const locator = (mode: string, value: unknown) => ({ __rl: true, mode, value });

/** The tag of a row about tags. */
export const tagOf = ({ who }: Row) => `Tag${who % 4}`;

/** The board of a row about members. */
export const boardOf = ({ what }: Row) => 1 + (what % 2);

/** The role that a row asks for. */
export const roleOf = ({ what }: Row) => 1 + (what % 4);

function parametersOf(
	world: World,
	{ operation, by, option, leavesOut, batching, hasTime }: ExecutionPlan,
	{ name, tag, row: own, msid }: Run['rows'][number],
	at: number,
): Parameters {
	const userId = locator(by === 'msid' ? 'id' : by, name);
	const ifNotFound = leavesOut ? { ifNotFound: 'leaveOut' } : {};
	const isCompared = ['updateRole', 'update', 'tag'].includes(operation);
	const canReturnOnlyChanged = ['updateRole', 'createOrGet', 'tag'].includes(operation);
	const options = {
		...(option === 'skipUnchanged' && isCompared && { skipUnchanged: true }),
		...(option === 'onlyFrom' && operation === 'updateRole' && { onlyFrom: ['1', '2'] }),
		...(option === 'onlyChanged' && canReturnOnlyChanged && { onlyChanged: true }),
		...(option === 'dryRun' && operation !== 'get' && { dryRun: true }),
		...(['updateRole', 'update', 'get', 'updateMembers'].includes(operation) && ifNotFound),
	};
	const shared = {
		options,
		...(batching && { requestOptions: { batching: { batch: batching } } }),
	};
	switch (operation) {
		case 'updateRole':
			return {
				resource: 'user',
				operation: 'updateRole',
				userId,
				roleId: locator('id', String(roleOf(own))),
				// Evaluated again in each attempt.
				get additionalFields() {
					return { details: hasTime ? `${tag} at ${world.clock.now}` : tag };
				},
				...shared,
			};
		case 'update':
			return {
				resource: 'user',
				operation: 'update',
				userId,
				keepOtherFields: true,
				hiddenFields: 'clear',
				updateFields: { userDescription: tag },
				simplify: false,
				...shared,
			};
		case 'createOrGet':
			return {
				resource: 'user',
				operation: 'createOrGet',
				firstName: tag,
				email: name,
				additionalFields: {},
				simplify: true,
				...shared,
			};
		case 'updateMembers':
			return {
				resource: 'board',
				operation: 'updateMembers',
				boardId: locator('id', String(boardOf(own))),
				membersInput: 'text',
				addMembers: name,
				removeMembers: '',
				...shared,
			};
		case 'post':
			return {
				resource: 'post',
				operation: 'create',
				boardId: locator('id', '1'),
				headline: tag,
				contentType: 'text',
				content: `Post ${at}`,
				author: locator('id', msid ?? msidOf(world.community.members[0])),
				simplify: true,
				options: option === 'dryRun' ? { dryRun: true } : {},
				...(batching && { requestOptions: { batching: { batch: batching } } }),
			};
		case 'tag':
			return {
				resource: 'tag',
				operation: 'upsert',
				name: tagOf(own),
				additionalFields: { description: tag },
				...shared,
				options: { ...options, ...(own.what === 1 && { ifExists: 'keep' }) },
			};
		case 'get':
			return { resource: 'user', operation: 'get', userId, simplify: true, ...shared };
	}
}

/** How many requests a story needs at most, without attempts that fail. */
function needOf({ executions, members }: ExecutionStory): number {
	const pages = 12 + 2 * Math.ceil((members + 8) / 50);
	const search = 2 * pages + 2 * (members + 8);
	return executions.reduce((sum, { rows, by, operation, maxTries }) => {
		const isSearching = by !== 'msid' || operation === 'createOrGet';
		const listing = operation === 'tag' ? 6 * rows.length : 1;
		return sum + maxTries * (4 * rows.length + listing + (isSearching ? search : 0));
	}, 0);
}

/**
 * How long a story may take: four times the time that the limit itself needs for its requests, plus the pauses of
 * batching and of n8n, the time of the answers, and the attempts that a request is given.
 */
export function timeFor(story: ExecutionStory): number {
	const { executions, gateway, gatewaySize, faults, habits } = story;
	const need = needOf(story);
	const { perSecond } = new World({ ...story, gateway, gatewaySize }).api.gateway;
	const rows = executions.reduce((sum, each) => sum + each.rows.length * each.maxTries, 0);
	const batching = executions.reduce(
		(sum, each) => sum + each.rows.length * each.maxTries * (each.batching?.batchInterval ?? 0),
		0,
	);
	const limit = (4 * need * 1000) / perSecond;
	const retries = 60_000 + 30_000 * rows * Number(gateway !== 'none' || isFaulty(story));
	const silent = faults.silent > 0 ? 6 * 300_000 * rows : 0;
	return 10_000 + limit + batching + retries + silent + need * habits.latencyMs;
}

export function isFaulty({ faults }: Setup): boolean {
	const { lostBefore, lostAfter, errorBefore, errorAfter, silent, page } = faults;
	return lostBefore + lostAfter + errorBefore + errorAfter + silent + page > 0;
}

/** Runs one more execution of each kind in the calmed world, and returns those that did not succeed. */
export async function probe(world: World, runs: Run[]): Promise<string[]> {
	world.calm();
	const kinds = new Map<string, Run>();
	for (const run of runs) kinds.set(`${run.plan.operation} ${run.execution.process.name}`, run);
	const broken: string[] = [];
	for (const { plan: before, execution } of kinds.values()) {
		if (!execution.process.isAlive) continue;
		const known = before.rows.filter(({ isUnknown, who }) => {
			const member = world.community.members[who % world.community.members.length];
			return !isUnknown && !member.isGone && member.unreadable === undefined;
		});
		const needsMember = !['post', 'tag', 'createOrGet'].includes(before.operation);
		if (known.length === 0 && needsMember) continue;
		// An address is neither free nor found if its member cannot be read, or was read before getting it.
		const { members, changes } = world.community;
		const isHidden =
			members.some(({ unreadable }) => unreadable !== undefined) ||
			changes.some(({ field, by }) => field === 'email' && by === 'admin');
		if (before.operation === 'createOrGet' && isHidden) continue;
		const again: ExecutionPlan = {
			...before,
			by: 'msid',
			option: 'none',
			rows: known.length > 0 ? known : before.rows,
			continues: false,
			maxTries: 1,
			batching: undefined,
			cancelAfterMs: undefined,
		};
		const run = start(world, again, 90 + broken.length);
		run.execution.process = execution.process;
		const told = await world.run(
			world.n8n.execute(run.execution),
			// A pause that the API asked for, and a rate that was learned, may still hold.
			world.clock.now + 400_000,
			`A further execution of ${before.operation}`,
		);
		if (told.kind !== 'returned')
			broken.push(`A further execution of ${before.operation} does not succeed (${told.kind})`);
	}
	return broken;
}

/** The position of the row that a request is about, by the text that it was marked with. Undefined if it has none. */
export function rowOf(body: IDataObject, number: number): number | undefined {
	const [, at] = new RegExp(`e${number}i(\\d+)`).exec(JSON.stringify(body)) ?? [];
	return at === undefined ? undefined : Number(at);
}
