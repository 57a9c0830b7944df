import type { IExecuteFunctions, IExecutePaginationFunctions } from 'n8n-workflow';
import type { ApiRequest } from '../../shared/transport/request';
import type { Operation } from '../actions/operation';
import { inputReader } from '../input/readInput';
import type { Field } from '../input/field';
import type { Input } from '../input/input';
import type { Strategy } from './itemContext';
import { requestMaker } from './requestMaker';
import { strategies } from './strategies';

/** One run of the node: its input items, and n8n's functions. */
export interface Run {
	functions: IExecuteFunctions | IExecutePaginationFunctions;
	/** The indexes of the input items in n8n; everywhere else, an index is a position in this list. */
	items: number[];
	/** A parameter's value for an item, or the fallback if it is not set. Throws what its expression throws. */
	parameter(name: string, item: number, fallback: unknown): unknown;
	/** Whether a parameter is set by an expression. */
	isExpression(name: string): boolean;
	/** Set where the node is used as a tool, see {@link Input.argumentFor}. */
	argumentFor?: Input['argumentFor'];
	/** Whether n8n's editor itself shows that the limit was reached, for an output with so many items. */
	isLimitTold?(count: number): boolean;
	/** Shows a hint beside the output, if n8n can. */
	hint?(message: string): void;
}

/** An operation, prepared to be run. */
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
 * @throws Error when the description of a field has a feature that is not supported
 */
export function taskOf(operation: Operation, fields: Field[]): Task {
	return {
		operation,
		strategy: strategies[operation.strategy],
		read: inputReader(fields),
		toRequest: requestMaker(operation),
	};
}
