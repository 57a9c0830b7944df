import type { IExecuteFunctions, IExecutePaginationFunctions } from 'n8n-workflow';
import type { ApiRequest } from '../../shared/exchange/request';
import type { Operation } from '../operation/operation';
import { inputReader } from '../operation/readInput';
import type { Field } from '../operation/field';
import type { Input } from '../operation/input';
import type { Strategy } from './itemContext';
import { requestMaker } from './requestMaker';
import { strategies } from './strategies';

/** One run of the node: its input items, and n8n's functions. */
export interface Run {
	functions: IExecuteFunctions | IExecutePaginationFunctions;
	/** The input items' indexes in n8n; everywhere else here, an index is a position in this list. */
	items: number[];
	/** A parameter's value for an item, or the fallback where it is not set. Throws what its expression throws. */
	parameter(name: string, item: number, fallback: unknown): unknown;
	/** Whether a parameter is set by an expression. */
	isExpression(name: string): boolean;
	/** Set where the node is used as a tool, see {@link Input.argumentFor}. */
	argumentFor?: Input['argumentFor'];
	/** Whether n8n's editor says by itself that a limit was reached, of an output with so many items. */
	isLimitTold?(count: number): boolean;
	/** Shows a text beside the output, where n8n can. */
	hint?(message: string): void;
	/** Hands figures about the run to n8n's tracing, where n8n can take them. */
	trace?(figures: Record<string, number>): void;
}

/** What a run does with each item. */
export interface Task {
	operation: Operation;
	strategy: Strategy;
	read: ReturnType<typeof inputReader>;
	toRequest(input: Input): ApiRequest;
}

/**
 * Prepares an operation, once for all runs.
 *
 * @param fields its parameters, those included that it shares with others
 * @throws Error when a field says something that is not supported here
 */
export function taskOf(operation: Operation, fields: Field[]): Task {
	return {
		operation,
		strategy: strategies[operation.strategy],
		read: inputReader(fields),
		toRequest: requestMaker(operation),
	};
}
