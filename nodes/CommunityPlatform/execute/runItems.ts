import type { INodeExecutionData } from 'n8n-workflow';
import { logThrottling } from '../../shared/transport';
import { KeyedLock } from '../../shared/limiter';
import { isWriting } from '../actions/operation';
import { dispatch } from './dispatch';
import { Notes, hintOfFailed, hintsOf } from './hints';
import type { PreparedItem, Shared, Strategy } from './itemContext';
import { ItemContext } from './itemContext';
import type { Preparation } from './prepare';
import { prepareItems } from './prepare';
import { Results } from './results';
import type { Run, Task } from './run';

/**
 * Carries out an operation for all items of a run: prepares them, then sends them as fast as the limiter allows.
 *
 * @returns the items of the output, in the order of the input (docs/decisions.md, E6)
 * @throws NodeApiError for the first item that failed, if the node is set to stop; requests in flight are finished first
 */
export async function runItems(run: Run, task: Task): Promise<INodeExecutionData[]> {
	const results = new Results(run);
	const unfollow = results.stop.follow(run.functions.getExecutionCancelSignal());
	try {
		const prepared = await prepareItems(run, task, results);
		const notes = new Notes();
		const throttled = prepared ? await sendItems(run, task, results, prepared, notes) : [];
		const isReading = !isWriting(task.operation);
		const items = results.output(isReading);
		if (run.argumentFor) {
			// A model sees only items.
			for (const hint of hintsOf(notes, throttled, run.argumentFor)) results.add(items, { hint });
			return items;
		}
		const failed = results.failedOf(items, isReading);
		const isApart = run.functions.getNode().onError === 'continueErrorOutput';
		if (failed) run.hint?.(hintOfFailed(failed, isApart));
		if (run.isLimitTold?.(items.length)) notes.atLimit = 0;
		for (const hint of hintsOf(notes, throttled)) run.hint?.(hint);
		return items;
	} finally {
		unfollow();
	}
}

/** @returns the throttle reports, one for each API that slowed the run down */
async function sendItems(
	run: Run,
	task: Task,
	results: Results,
	{ items, batching, apis }: Preparation,
	notes: Notes,
): Promise<string[]> {
	const { functions } = run;
	const shared: Shared = {
		functions,
		creates: new KeyedLock(),
		notes,
		isContinuing: functions.continueOnFail(),
	};
	const strategy = task.strategy.forRun?.(items) ?? task.strategy;
	await dispatch(items, batching, results.stop, async (item, index) => {
		await sendItem(item, index, { shared, task, strategy, results });
	});
	return apis().flatMap((api) => logThrottling(api, results.failedInWords()) ?? []);
}

interface Sending {
	shared: Shared;
	task: Task;
	strategy: Strategy;
	results: Results;
}

async function sendItem(
	item: PreparedItem,
	index: number,
	{ shared, task, strategy, results }: Sending,
): Promise<void> {
	const { operation, toRequest } = task;
	let context: ItemContext | undefined;
	try {
		context = new ItemContext(shared, operation, item, toRequest(item.input));
		const records = await strategy.send(context);
		if (context.hasChanged) shared.notes.applied++;
		results.give(index, records, context.hasChanged);
	} catch (error) {
		results.fail(index, error, context?.hasChanged);
	} finally {
		context?.releaseLocks();
	}
}
