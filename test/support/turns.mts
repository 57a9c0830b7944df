import { setImmediate } from 'node:timers/promises';

/** Waits for so many turns of the event loop, in which other work goes on. */
export async function turns(count: number): Promise<void> {
	for (let left = count; left > 0; left--) await setImmediate();
}
