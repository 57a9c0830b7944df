import { getEventListeners } from 'node:events';

/** How many listeners wait for a signal to be aborted. */
export function listenersOf(signal: AbortSignal): number {
	return getEventListeners(signal, 'abort').length;
}
