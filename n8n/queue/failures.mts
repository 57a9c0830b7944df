import type { ExecutionSummary } from '../client.mts';
import { CONCURRENCY } from './cluster.mts';
import type { Killing } from './killing.mts';
import type { Report } from './report.mts';
import type { WorkerLog } from './worker-log.mts';

/**
 * Checks that an execution failed only if the killed worker had taken it from the queue. What it had
 * taken a moment before, it did not come to log; but nobody else has taken that, and a worker has no
 * more than so many at once.
 *
 * @param what the executions are about, in the plural
 * @param failed of one workflow
 * @param pending what was waiting or under way at the kill, by execution
 * @param survivor what the other worker has taken
 */
export function checkFailures(
	report: Report,
	what: string,
	{ failed, pending }: { failed: ExecutionSummary[]; pending: Map<string, number> },
	{ begun, runs }: Killing,
	survivor: WorkerLog,
): void {
	const count = (isSo: (id: string) => boolean) => failed.filter(({ id }) => isSo(id)).length;
	const elsewhere = count((id) => survivor.started.has(id));
	const over = count((id) => !pending.has(id));
	const atOnce = runs.parts.failed.length + runs.greet.failed.length;
	report.check(
		`In n8n's list, ${what} that the killed worker had taken are failed, and no others`,
		elsewhere + over === 0 && atOnce > 0 && atOnce <= CONCURRENCY,
		`${failed.length} failed, ${count((id) => begun.has(id))} of them begun in its log, ${elsewhere} in that of the other worker`,
	);
}
