import { Failure } from '../../shared/failure';
import type { Batching, HttpSettings } from '../../shared/transport';
import type { ReadItem } from '../input/readInput';

/** An item whose parameters were read. */
export interface Read extends ReadItem {
	http: HttpSettings;
	batching: Batching;
}

/** Returns the failure of a run whose items differ in a setting of the whole run. Undefined if they do not. */
export function mixedSetting(items: Read[]): Failure | undefined {
	const isMixed = (of: (item: Read) => unknown) => new Set(items.map(of)).size > 1;
	const { labels } = items[0].input;
	const name = ['dryRun', 'maxRequestsAtOnce', 'maxRetries'].find((option) =>
		isMixed(({ input }) => input.values[option]),
	);
	const label = name ? labels[name] : 'Request Options';
	if (!name && !isMixed(({ http, batching }) => JSON.stringify([http, batching]))) return undefined;
	return new Failure(
		`'${label}' has different values for different items`,
		`Enter one value in '${label}' for all items, or split the items between two nodes. The value applies to the whole execution.`,
		{ concernsEveryItem: true },
	);
}
