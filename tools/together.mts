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
	const waiting = jobs.values();
	const one = async () => {
		for (const job of waiting) await job();
	};
	await Promise.all(Array.from({ length: atOnce }, one));
}

/** Spreads a few jobs evenly among many. */
export function mix(many: Job[], few: Job[]): Job[] {
	const every = (many.length + few.length) / Math.max(1, few.length);
	const mixed = [...many];
	for (const [index, job] of few.entries()) mixed.splice(Math.floor(index * every), 0, job);
	return mixed;
}
