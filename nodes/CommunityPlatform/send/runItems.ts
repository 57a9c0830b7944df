import type { INodeExecutionData } from 'n8n-workflow';
import { logThrottling } from '../../shared/api';
import { Failure } from '../../shared/failures/failure';
import { KeyedLock } from '../../shared/pacing';
import { isWriting } from '../operation/operation';
import { dispatch } from './dispatch';
import { Notes, hintsOf } from './hints';
import type { PreparedItem, Shared, Strategy } from './itemContext';
import { ItemContext } from './itemContext';
import type { Preparation } from './prepare';
import { prepareItems } from './prepare';
import { figuresOf } from './figures';
import { Results } from './results';
import type { Run, Task } from './run';

/**
 * Carries out an operation for all items of a run: prepares them, then sends them as fast as the limiter allows.
 *
 * @returns what they become, in their order (docs/decisions.md, E6)
 * @throws NodeApiError for the first item that failed, where the node is set to stop. Requests in flight are finished
 * before.
 */
export async function runItems(run: Run, task: Task): Promise<INodeExecutionData[]> {
	const results = new Results(run);
	const unfollow = results.stop.follow(run.functions.getExecutionCancelSignal());
	try {
		const prepared = await prepareItems(run, task, results);
		if (prepared) await sendItems(run, task, results, prepared);
		return results.output(!isWriting(task.operation));
	} finally {
		unfollow();
	}
}

async function sendItems(
	run: Run,
	task: Task,
	results: Results,
	{ items, batching, apis }: Preparation,
): Promise<void> {
	const { functions } = run;
	const shared: Shared = {
		functions,
		creates: new KeyedLock(),
		notes: new Notes(),
		isContinuing: functions.continueOnFail(),
	};
	const strategy = task.strategy.forRun?.(items) ?? task.strategy;
	await dispatch(items, batching, results.stop, async (item, index) => {
		await sendItem(item, index, { shared, task, strategy, results });
	});
	const failed = results.failedInWords();
	const throttled = apis.all.flatMap((api) => logThrottling(api, failed) ?? []);
	for (const hint of hintsOf(shared.notes, throttled)) run.hint?.(hint);
	run.trace?.(figuresOf(shared.notes, apis.all));
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
		results.give(
			index,
			records.map((json) => (json instanceof Failure ? json : item.api.redactor.record(json))),
			context.hasChanged,
		);
	} catch (error) {
		results.fail(index, error);
	} finally {
		context?.leaveTurns();
	}
}
