import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Lets Node.js forget what nothing holds any more; what a WeakRef has given stays until the turn is over. */
export async function collectGarbage(): Promise<void> {
	await nextTurn();
	gc();
}
