import fc from 'fast-check';
import { NO_FAULTS } from './api.mts';
import { brokenBy } from './checks.mts';
import {
	brokenDeliveries,
	deliver,
	deliverOneMore,
	delivery,
	type DeliveryStory,
} from './deliveries.mts';
import { begin, plan, probe, timeFor, type ExecutionStory } from './executions.mts';
import { gatewayOf } from './gateways.mts';
import { WORKING_DATABASE } from './n8n.mts';
import { happening, setup } from './plans.mts';
import { Trigger, type PollStory } from './polls.mts';
import { World, type Arrange } from './world.mts';

/** Executions, deliveries and the polls of one trigger, all in the same minutes. */
export interface MixedStory extends ExecutionStory {
	deliveries: Pick<DeliveryStory, 'deliveries' | 'confirmsWithApi'>;
	polls: Pick<PollStory, 'watchesFor' | 'includesDetails'> & {
		/** The pauses before each of them. */
		pausesMs: number[];
	};
}

export const mixedStory: fc.Arbitrary<MixedStory> = fc
	.record({
		base: setup,
		executions: fc.array(plan, { minLength: 1, maxLength: 4 }),
		happenings: fc.array(happening, { maxLength: 4 }),
		crashes: fc.oneof(
			{ weight: 9, arbitrary: fc.constant<ExecutionStory['crashes']>([]) },
			fc.array(fc.record({ at: fc.nat(4_000), worker: fc.nat(3) }), { maxLength: 1 }),
		),
		deliveries: fc.record({
			deliveries: fc.array(
				delivery.map((each) => ({ ...each, at: each.at % 5_000 })),
				{ minLength: 1, maxLength: 5 },
			),
			confirmsWithApi: fc.boolean(),
		}),
		polls: fc.record({
			watchesFor: fc.constantFrom('memberJoined', 'memberChanged'),
			includesDetails: fc.boolean(),
			pausesMs: fc.array(fc.nat(4_000), { minLength: 1, maxLength: 3 }),
		}),
	})
	.map(({ base, ...rest }) => ({
		...base,
		// A replica that is behind, and a member list of several pages from which somebody leaves, can hide a member from a
		// poll (docs/triggers.md).
		members: Math.min(base.members, 12),
		faults: { ...base.faults, lagMs: 0 },
		...rest,
	}));

/** Tells a story of everything at once, and throws if it breaks a promise. */
export async function checkMixed(story: MixedStory, arrange?: Arrange): Promise<void> {
	const world = new World(story);
	arrange?.(world);
	const { faults, gateway } = world.api;
	const trigger = new Trigger(world, { ...story, ...story.polls });
	// n8n would not switch the workflow on if its first poll failed.
	Object.assign(world.api, { faults: NO_FAULTS, gateway: gatewayOf('none', 1, world.random) });
	await trigger.poll();
	Object.assign(world.api, { faults, gateway });

	const webhook: DeliveryStory = {
		...story,
		...story.deliveries,
		database: WORKING_DATABASE,
		ignoresDuplicates: true,
	};
	const executions = begin(world, story);
	const deliveries = deliver(world, webhook);
	const polls = pollBeside(world, trigger, story);
	const until = world.clock.now + timeFor(story) + timeForTriggers(story, world);
	const all = Promise.all([executions.all, deliveries.all, polls]);
	await world.run(all, until, 'An execution, a delivery or a poll');

	world.require(executions.runs.flatMap((run) => brokenBy(world, run)));
	world.require(brokenDeliveries(world, webhook, deliveries.handled));
	world.require(await world.leftBehind());
	world.require(await probe(world, executions.runs));
	world.require(await deliverOneMore(world, webhook));
	await trigger.pollCalmly();
	world.require(trigger.broken());
	world.require(await world.leftBehind());
	world.end();
}

async function pollBeside(world: World, trigger: Trigger, { polls, faults }: MixedStory) {
	for (const pauseMs of polls.pausesMs) {
		await world.clock.sleep(pauseMs, world);
		await trigger.begin({ before: [], during: [], faults, restart: 'none', isDoubled: false });
	}
}

// Each delivery reads its member up to four times, each poll at most all members, and their requests are attempted as
// often as those of a row.
function timeForTriggers({ deliveries, polls, members }: MixedStory, world: World): number {
	const reads = 4 * deliveries.deliveries.length;
	const pages = polls.pausesMs.length * (20 + 2 * (members + 20));
	const { perSecond } = world.api.gateway;
	return (4 * (reads + pages) * 1000) / perSecond + 60_000 * (reads + polls.pausesMs.length);
}
