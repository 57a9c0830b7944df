// Far more than are changed while an execution is about to decide about one of them.
const MOST_KEPT = 10_000;

/** When this process last changed a record, by the key of its lock and by `performance.now`, the latest change last. */
const writtenAt = new Map<string, number>();

/** Notes that a change was answered, or that its answer was lost. */
export function noteWrite(record: string): void {
	writtenAt.delete(record);
	writtenAt.set(record, performance.now());
	if (writtenAt.size <= MOST_KEPT) return;
	const [oldest] = writtenAt.keys();
	writtenAt.delete(oldest);
}

/** Whether this process has changed a record after a time, so that what was read before no longer holds. */
export function isWrittenSince(record: string, time: number): boolean {
	return (writtenAt.get(record) ?? -Infinity) > time;
}
