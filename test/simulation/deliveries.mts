import fc from 'fast-check';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { msidOf, type Member } from './community.mts';
import {
	WORKING_DATABASE,
	nodeOf,
	valueAt,
	type DatabaseFaults,
	type Execution,
	type Parameters,
	type Told,
} from './n8n.mts';
import type { Process } from './process.mts';
import { PLAIN, World, type Arrange, type Setup } from './world.mts';

export interface Delivery {
	at: number;
	/** Which event. The same number is a copy. */
	event: number;
	/** The process that answers it, and the one that executes it. */
	receiver: number;
	worker: number;
	secret: 'right' | 'old' | 'forged';
}

export interface DeliveryStory extends Setup {
	database: DatabaseFaults;
	ignoresDuplicates: boolean;
	confirmsWithApi: boolean;
	/** When somebody replaces the secret in the credential. */
	rotatedAt?: number;
	crashes: Array<{ at: number; worker: number }>;
	deliveries: Delivery[];
}

export interface Handled extends Delivery {
	key: number;
	answeredAt: number;
	status: number;
	startedAt: number;
	endedAt: number;
	process: string;
	/** The member in the event. */
	member: Member;
	told?: Told;
	/** Whether somebody retried it after a failure. */
	isRetried: boolean;
	/** How often its items were returned. */
	returned: number;
}

// How long a process may use a secret that was read before, and the time to read it again (docs/triggers.md).
const SECRET_KEPT_MS = 30_500;
const OLD_SECRET = 'the secret before';

const SLOW_DATABASE = { ...WORKING_DATABASE, stepMs: 20 };

const rare = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.constant(0.1));
export const delivery = fc.record<Delivery>({
	at: fc.oneof(fc.nat(300), fc.nat(90_000)),
	event: fc.nat(5),
	receiver: fc.nat(3),
	worker: fc.nat(3),
	secret: fc.constantFrom('right', 'right', 'right', 'right', 'old', 'forged'),
});
// Copies of one event that reach several processes in nearly the same moment.
const burst = fc
	.record({
		at: fc.constantFrom(0, 1_000, 2_000),
		event: fc.nat(5),
		gaps: fc.array(fc.nat(40), { minLength: 2, maxLength: 4 }),
	})
	.map(({ at, event, gaps }) =>
		gaps.map((gap, worker): Delivery => {
			return { at: at + gap, event, receiver: worker, worker, secret: 'right' };
		}),
	);

/** Stories of deliveries to the webhook trigger, most of them doubled, on one to four processes. */
export const deliveryStory: fc.Arbitrary<DeliveryStory> = fc.record<DeliveryStory>({
	...Object.fromEntries(Object.entries(PLAIN).map(([key, value]) => [key, fc.constant(value)])),
	seed: fc.nat(),
	workers: fc.constantFrom(1, 1, 2, 3, 4),
	members: fc.constant(6),
	database: fc.oneof(
		{ weight: 3, arbitrary: fc.constantFrom(WORKING_DATABASE, SLOW_DATABASE) },
		fc.record({
			before: rare,
			after: rare,
			credential: rare,
			stepMs: fc.constantFrom(10, 20, 100),
		}),
	),
	ignoresDuplicates: fc.constantFrom(true, true, true, true, false),
	confirmsWithApi: fc.constant(false),
	rotatedAt: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, fc.nat(60_000)),
	crashes: fc.oneof(
		{ weight: 9, arbitrary: fc.constant<DeliveryStory['crashes']>([]) },
		fc.array(fc.record({ at: fc.nat(300), worker: fc.nat(3) }), { maxLength: 1 }),
	),
	deliveries: fc
		.tuple(fc.array(burst, { maxLength: 3 }), fc.array(delivery, { minLength: 1, maxLength: 8 }))
		.map(([bursts, others]) => [...bursts.flat(), ...others]),
} as never);

/** Tells a story of deliveries, and throws if it breaks a promise. */
export async function checkDeliveries(story: DeliveryStory, arrange?: Arrange): Promise<void> {
	const world = new World(story);
	arrange?.(world);
	for (const { at, worker } of story.crashes) world.at(at, () => world.crash(worker));
	const { handled, all } = deliver(world, story);
	await world.run(all, 300_000, 'A delivery');
	world.require(brokenDeliveries(world, story, handled));
	world.require(await world.leftBehind());
	world.calm();
	world.require(await deliverOneMore(world, story));
	world.end();
}

/** Begins the deliveries of a story. Returns what becomes of them, and what ends with the last of them. */
export function deliver(
	world: World,
	story: DeliveryStory,
): { handled: Handled[]; all: Promise<unknown> } {
	const { database, clock } = world;
	database.faults = story.database;
	if (story.rotatedAt !== undefined) {
		const secret = database.webhookSecret;
		database.webhookSecret = OLD_SECRET;
		world.at(clock.now + story.rotatedAt, () => {
			database.webhookSecret = secret;
			world.chronicle.say('Somebody replaces the webhook secret');
		});
	}
	const handled: Handled[] = [];
	const all = story.deliveries.map(async (each, index) => {
		await clock.sleep(each.at, world);
		handled.push(await handle(world, story, each, index + 1));
	});
	return { handled, all: Promise.all(all) };
}

/** Delivers once more in a calmed world, which has to be returned immediately. */
export async function deliverOneMore(world: World, story: DeliveryStory): Promise<string[]> {
	const { clock } = world;
	// The first member owns the API key, and never leaves.
	const event = 100 * world.setup.members;
	const next = { at: 0, event, receiver: 0, worker: 0, secret: 'right' } as const;
	await clock.pass(SECRET_KEPT_MS);
	const last = await world.run(
		handle(world, story, next, 99),
		clock.now + 60_000,
		'A further delivery',
	);
	return last.returned === 1 ? [] : [`a further delivery is returned ${last.returned} times`];
}

async function handle(
	world: World,
	story: DeliveryStory,
	delivery: Delivery,
	number: number,
): Promise<Handled> {
	const { clock, chronicle } = world;
	const name = `delivery ${number}`;
	const member = world.community.members[delivery.event % world.setup.members];
	const body = {
		event: 'member.joined',
		job_id: delivery.event,
		entities: { user: [{ msid: msidOf(member), user_id: member.userId, email: member.email }] },
	};
	const parameters: Parameters = {
		events: ['member.joined'],
		verification: 'secret',
		confirmWithApi: story.confirmsWithApi,
		options: story.ignoresDuplicates ? {} : { ignoreDuplicates: false },
	};
	const receiver = world.worker(delivery.receiver);
	const secrets = { right: world.database.webhookSecret, old: OLD_SECRET, forged: 'guessed' };
	const receivedAt = clock.now;
	chronicle.say(
		`${name} of event ${delivery.event} reaches ${receiver.name} (${delivery.secret} secret)`,
	);
	const { status, items } = await receive(
		world,
		receiver,
		parameters,
		body,
		secrets[delivery.secret],
	);
	chronicle.say(`${name} is answered with ${status}`);
	const handled: Handled = {
		...delivery,
		at: receivedAt,
		key: delivery.event,
		answeredAt: clock.now,
		status,
		startedAt: clock.now,
		endedAt: clock.now,
		process: receiver.name,
		member,
		isRetried: false,
		returned: 0,
	};
	if (!items) return handled;
	// In queue mode, another process executes it.
	await clock.sleep(2, world);
	const execution: Execution = {
		name,
		process: world.worker(delivery.worker),
		items: [parameters],
		onError: 'stopWorkflow',
		maxTries: 1,
		waitBetweenTries: 0,
		abort: new AbortController(),
		context: {},
		attempts: 1,
		input: items,
		mode: 'webhook',
	};
	handled.process = execution.process.name;
	handled.startedAt = clock.now;
	handled.told = await world.n8n.executeTrigger(execution);
	if (handled.told.kind === 'threw') {
		// A failed execution is visible, and a person retries it.
		await clock.sleep(5_000, world);
		execution.mode = 'retry';
		handled.isRetried = true;
		execution.process = world.worker(delivery.worker);
		handled.told = await world.n8n.executeTrigger(execution);
	}
	handled.endedAt = clock.now;
	if (handled.told.kind === 'returned') handled.returned = handled.told.items.length;
	return handled;
}

async function receive(
	world: World,
	process: Process,
	parameters: Parameters,
	body: IDataObject,
	secret: string,
): Promise<{ status: number; items?: INodeExecutionData[] }> {
	let status = 200;
	const response = {
		status(code: number) {
			status = code;
			return response;
		},
		json: () => response,
	};
	const functions = {
		getNode: () => nodeOf('n1', parameters as never),
		getNodeParameter: (path: string, fallback: unknown) => valueAt(parameters, path) ?? fallback,
		getHeaderData: () => ({ 'x-webhook-secret': secret }),
		getQueryData: () => ({}),
		getRequestObject: () => ({
			url: '/webhook/1',
			ip: '203.0.113.7',
			rawBody: Buffer.from(JSON.stringify(body)),
		}),
		getResponseObject: () => response,
		getMode: () => 'webhook',
		...world.n8n.common(process),
	};
	const { CommunityPlatformTrigger } = process.nodes;
	const answer = await Promise.race([
		CommunityPlatformTrigger.webhook?.call(functions as never),
		process.crashed,
	]);
	if (answer === 'crashed' || !answer) return { status: 0 };
	return { status, items: answer.workflowData?.[0] };
}

/** The broken promises about deliveries. */
export function brokenDeliveries(world: World, story: DeliveryStory, handled: Handled[]): string[] {
	const broken: string[] = [];
	const { rotatedAt = -Infinity } = story;
	for (const each of handled) {
		const name = `event ${each.key} at ${each.at} ms`;
		const isOld = each.secret === 'old' && each.at > rotatedAt;
		const isAccepted = each.status === 200;
		if (each.secret === 'forged' && isAccepted)
			broken.push(`${name} is accepted with a forged secret`);
		if (isOld && each.at > rotatedAt + SECRET_KEPT_MS && isAccepted)
			broken.push(`${name} is accepted with a secret that was replaced long before`);
		const isSettled = each.answeredAt < rotatedAt || each.at > rotatedAt + SECRET_KEPT_MS;
		// Read twice, so the database has to fail twice for a refusal.
		const isReadable = story.database.credential === 0;
		const isRight = each.secret === 'right' && each.status !== 0;
		if (isRight && isSettled && isReadable && !isAccepted)
			broken.push(`${name} is refused with ${each.status} although its secret is right`);
	}
	for (const key of new Set(handled.map((each) => each.key))) {
		const copies = handled.filter((each) => each.key === key && each.told !== undefined);
		if (copies.length === 0) continue;
		const returned = copies.reduce((sum, each) => sum + each.returned, 0);
		// What was to happen in a process that has crashed never happens, and n8n shows the execution as crashed.
		const hasEnded = copies.every(({ told }) => told?.kind === 'returned');
		// "Confirm with API" drops an event whose member cannot be read under the same ID.
		const mayBeDropped = copies.every(
			({ member }) => story.confirmsWithApi && (member.isGone || member.unreadable !== undefined),
		);
		if (returned === 0 && hasEnded && !mayBeDropped)
			broken.push(`event ${key} is lost: accepted ${copies.length} times, never returned`);
		// docs/triggers.md: a retry never drops an event, even if a copy was returned since.
		const retried = copies.filter((each) => each.isRetried).length;
		if (!story.ignoresDuplicates || returned - retried <= 1) continue;
		const { before, after } = story.database;
		// docs/scaling.md: copies that reach several workers in the same moment can be returned twice. A worker that
		// overwrites the keys of another one in such a moment also makes a later copy new.
		const isInOneMoment = copies.some((each) =>
			handled.some((other) => other.process !== each.process && overlaps(each, other)),
		);
		const isExcused = isInOneMoment || before + after > 0 || story.crashes.length > 0;
		if (!isExcused) broken.push(`event ${key} is returned ${returned} times by one process`);
		if (returned > copies.length) broken.push(`event ${key} is returned more often than delivered`);
	}
	const size = world.database.rows.get('n1')?.length ?? 0;
	const events = new Set(handled.map(({ key }) => key)).size;
	if (size > events + 10) broken.push(`n8n's row has ${size} keys of ${events} events`);
	return broken;
}

function overlaps(one: Handled, other: Handled): boolean {
	if (!one.told || !other.told) return false;
	return one.startedAt <= other.endedAt && other.startedAt <= one.endedAt;
}
