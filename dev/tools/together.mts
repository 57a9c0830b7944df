import pMap from 'p-map';

/** Something to be done once. */
export type Job = () => Promise<unknown>;

/**
 * Does jobs in their order, several at a time.
 *
 * @param jobs none is begun before those in front of it
 * @param atOnce how many at most are under way
 * @throws what the first job throws that fails; no further one is begun then
 */
export async function together(jobs: Job[], atOnce: number): Promise<void> {
	await pMap(jobs, async (job) => await job(), { concurrency: atOnce });
}
