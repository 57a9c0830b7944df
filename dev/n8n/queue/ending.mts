import type { Instance } from '../instance.mts';
import { until } from '../../tools/wait.mts';
import { together } from '../../tools/together.mts';
import { readWorkerLog, unfinished, untilAllOver } from './executions.mts';
import type { Report } from './report.mts';
import type { Stage } from './stage.mts';
import { appliedUpdates, planBatch, sendPart, tally } from './updates.mts';

const TIMEOUT_MS = 120_000;
// Each part takes some seconds, so that a worker is in the middle of some when it is asked to end.
const DELAY_MS = 1_000;
const PARTS = 8;
const PART_SIZE = 10;

/**
 * Asks a worker to end (SIGTERM) while it works on parts of a batch, and checks that it carries these out before.
 *
 * @param worker one of two, with a time for that which is long enough
 */
export async function checkEnding(
	{ sandbox, client, partsUrl, workflows }: Stage,
	report: Report,
	worker: Instance,
): Promise<void> {
	const workflowId = workflows.parts.id;
	const before = await untilAllOver(client, workflowId, 0, TIMEOUT_MS);
	// What it never finished because it was killed before.
	const lost = await unfinished(worker, workflowId);
	sandbox.requests.clear();
	sandbox.settings.delayMs = DELAY_MS;
	const parts = planBatch(sandbox.community, PARTS * PART_SIZE, PART_SIZE);
	await together(
		parts.map((part) => () => sendPart(partsUrl, part)),
		PARTS,
	);
	const begun = await until(
		'the worker to have begun parts',
		async () => {
			const ids = [...(await unfinished(worker, workflowId))].filter((id) => !lost.has(id));
			return ids.length > 0 && appliedUpdates(sandbox).length > 0 && ids;
		},
		TIMEOUT_MS,
	);
	worker.process.signal('SIGTERM');
	const code = await worker.process.exited;
	const { finished } = await readWorkerLog(worker);
	const atLeast = before.succeeded + before.failed.length + parts.length;
	const { failed } = await untilAllOver(client, workflowId, atLeast, TIMEOUT_MS);
	sandbox.settings.delayMs = 0;

	const { times } = tally(parts, appliedUpdates(sandbox));
	const once = parts.flatMap((part) => part.updates).filter((update) => times(update) === 1);
	const newlyFailed = failed.length - before.failed.length;
	const carriedOut = begun.filter((id) => finished.has(id)).length;
	report.check(
		'A worker that is asked to end carries out what it has begun, and the other one does the rest',
		code === 0 &&
			newlyFailed === 0 &&
			carriedOut === begun.length &&
			once.length === PARTS * PART_SIZE,
		`${carriedOut} of ${begun.length} parts carried out after SIGTERM, ${once.length} of ${PARTS * PART_SIZE} updates applied once`,
	);
}
