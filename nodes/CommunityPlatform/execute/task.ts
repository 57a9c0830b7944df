import type { IExecuteFunctions, IExecutePaginationFunctions } from 'n8n-workflow';
import type { KeyedLock, Stop } from '../../shared/limiter';
import type { Field, FieldRules, Operation } from '../actions/operation';
import { isWriting, keysOf, own, withOptions } from '../actions/operation';
import type { ItemParameters, ReadItem } from '../input/readInput';
import { inputReader } from '../input/readInput';
import type { RunSummary } from './summary';

/** An operation, prepared once for all runs. */
export interface Task {
	operation: Operation;
	/** Whether it creates or changes something. */
	isWriting: boolean;
	read(parameters: ItemParameters): ReadItem;
	bodyFields: BodyField[];
}

export interface BodyField extends FieldRules {
	field: string;
	label: string;
	parameter: Field;
}

/** The fields of the API that parameters can send in a body. */
export function bodyFieldsOf(fields: Field[]): BodyField[] {
	return withOptions(fields).flatMap((parameter) => {
		const { type, property } = parameter.routing?.send ?? {};
		if (type !== 'body' || property === undefined) return [];
		// Of `data.role_id`, the API speaks as role_id.
		const field = keysOf(property).findLast((key) => !/^\d+$/.test(key)) ?? property;
		return { ...parameter[own], field, label: parameter.displayName, parameter };
	});
}

/** Prepares an operation, once for all runs; `fields` include those that it shares with others. */
export function taskOf(operation: Operation, fields: Field[]): Task {
	return {
		operation,
		isWriting: isWriting(operation),
		read: inputReader(fields),
		bodyFields: bodyFieldsOf(fields),
	};
}

/** What an item may know of its run. */
export interface Work {
	task: Task;
	functions: IExecuteFunctions | IExecutePaginationFunctions;
	/** The indexes of the input items in n8n. */
	items: number[];
	summary: RunSummary;
	/** Once stopped, no request is sent. Requests in flight are finished, unless n8n cancels the run. */
	stop: Stop;
	/** By community: creates are sent one after another, in the order of the items. */
	creates: KeyedLock;
	isTool: boolean;
	/** Whether a failed record becomes a failed item instead of ending the run. */
	isContinuing: boolean;
	/** How often n8n ran the node in this execution before, as in a loop; a try of "Retry On Fail" does not count. */
	runIndex: number;
}
