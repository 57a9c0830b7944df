// Far more than are changed while an execution is about to decide about one of them.
const MOST_KEPT = 5_000;

/** When this process last changed a record, by the key of its lock and by `performance.now`. */
let latest = new Map<string, number>();
/** The same for the changes before, which are forgotten all at once, because a Map is slow to drop its first entry. */
let earlier = new Map<string, number>();

/** Notes that a change was answered, or that its answer was lost. */
export function noteWrite(record: string): void {
	latest.set(record, performance.now());
	if (latest.size < MOST_KEPT) return;
	earlier = latest;
	latest = new Map();
}

/** Whether this process has changed a record after a time, so that what was read before no longer holds. */
export function isWrittenSince(record: string, time: number): boolean {
	return (latest.get(record) ?? earlier.get(record) ?? -Infinity) > time;
}
