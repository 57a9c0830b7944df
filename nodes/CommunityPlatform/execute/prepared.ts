import type { IExecuteFunctions } from 'n8n-workflow';
import type { KeyedLock } from '../../shared/limiter/lock';
import type { Cancellation } from '../../shared/limiter/cancel';
import { sharedFieldsOf } from '../actions/common';
import type { Operation } from '../actions/operation';
import { parametersOf, type Parameter } from '../input/parameter';
import { inputReader, type ItemParameters, type ReadItem } from '../input/readInput';
import type { RunSummary } from './summary';

/** An operation, prepared once for all runs. */
export interface PreparedOperation {
	operation: Operation;
	read(parameters: ItemParameters): ReadItem;
	/** The parameters that are sent in the body. */
	bodyFields: Parameter[];
	/** The parameter that names the record in the path, if the path names one. */
	target?: Parameter;
}

/** What an item knows about its run. */
export interface RunContext {
	prepared: PreparedOperation;
	functions: IExecuteFunctions;
	/** The indexes of the input items in n8n. */
	items: number[];
	summary: RunSummary;
	/** After a cancellation, no request is sent. Requests in flight are finished, unless n8n cancels the run. */
	cancellation: Cancellation;
	/** By community, because creates are sent one after another in the order of the items. */
	creates: KeyedLock;
	isTool: boolean;
	/** Whether a failed record becomes a failed item instead of ending the run. */
	isContinuing: boolean;
	/** Whether one of n8n's items is only tried out. */
	isDryRun(item: number): boolean;
	/** How often n8n ran the node in this execution before, as in a loop. "Retry On Fail" does not count. */
	runIndex: number;
}

/** Prepares an operation once for all runs. */
export function prepareOperation(operation: Operation): PreparedOperation {
	const parameters = parametersOf([...operation.fields, ...sharedFieldsOf(operation)]);
	const all = parameters.flatMap((each) => [each, ...each.options]);
	const bodyFields = all.filter(({ sentIn }) => sentIn === 'body');
	const target = parameters.find(({ idField, sentIn }) => idField && !sentIn);
	return { operation, read: inputReader(parameters), bodyFields, target };
}
