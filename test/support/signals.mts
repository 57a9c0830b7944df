import { getEventListeners } from 'node:events';

/** The number of abort listeners of a signal. */
export function listenersOf(signal: AbortSignal): number {
	return getEventListeners(signal, 'abort').length;
}
