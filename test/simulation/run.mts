import fc from 'fast-check';
import { brokenBy } from './checks.mts';
import { probe, tell, type ExecutionStory } from './executions.mts';
import { Broken, freshness, type Arrange } from './world.mts';

const { SIMULATION_STORIES, SIMULATION_SEED, CI } = process.env;

/** How many stories of all kinds are told. */
const STORIES = Number(SIMULATION_STORIES ?? 300);

// As test/support/seed.mts does it for all properties.
const seed = SIMULATION_SEED ? Number(SIMULATION_SEED) : CI ? 20_260_101 : undefined;

/** Tells stories of a kind. Throws with the seed and the smallest story that breaks a promise, in words. */
export async function tellAll<T>(
	arbitrary: fc.Arbitrary<T>,
	share: number,
	check: (story: T) => Promise<void>,
): Promise<void> {
	const numRuns = Math.max(1, Math.round(STORIES * share));
	const details = await fc.check(
		fc.asyncProperty(arbitrary, async (story) => await tellOnce(story, check)),
		{ numRuns, ...(seed === undefined ? {} : { seed }) },
	);
	if (!details.failed) return;
	const { counterexample, counterexamplePath, errorInstance, numRuns: told } = details;
	const [story] = counterexample ?? [];
	throw new Broken(
		[
			`Story ${told} of ${numRuns} breaks a promise. To tell it again: SIMULATION_SEED=${details.seed} (path ${counterexamplePath})`,
			(errorInstance as Error)?.message,
			`Its plan: ${JSON.stringify(story)}`,
		].join('\n\n'),
	);
}

/** Tells a story. If it breaks a promise, tells it again with modules that no other story has used. */
export async function tellOnce<T>(story: T, check: (story: T) => Promise<void>): Promise<void> {
	try {
		await check(story);
	} catch (error) {
		freshness.isFresh = true;
		try {
			await check(story);
		} finally {
			freshness.isFresh = false;
		}
		throw new Broken('- it depends on earlier stories', { cause: error });
	}
}

/** Tells a story of executions, and throws if it breaks a promise. */
export async function checkExecutions(story: ExecutionStory, arrange?: Arrange): Promise<void> {
	const { world, runs } = await tell(story, arrange);
	world.require(runs.flatMap((run) => brokenBy(world, run)));
	world.require(await world.leftBehind());
	world.require(await probe(world, runs));
	world.require(await world.leftBehind());
	world.end();
}
