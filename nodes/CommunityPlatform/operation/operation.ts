import type { IDataObject, IHttpRequestMethods, IParameterBuilderHint } from 'n8n-workflow';
import type { Repeat } from '../../shared/exchange/repeat';
import { repeatOf } from '../../shared/exchange/repeat';
import type { RecordType } from '../../shared/records/types';
import type { Field } from './field';
import type { Input } from './input';

/** How the requests of an operation are sent; `send/strategies/` has a file for each. */
export type StrategyName = 'one' | 'listing' | 'reorder' | 'replace' | 'updateRole' | 'upsertTag';

/** One endpoint of the API as an operation of the node: everything that is said of it. */
export interface Operation {
	/** Its label in the editor. */
	name: string;
	value: string;
	/** What the node is called in n8n's list of actions, and to a model that has it as a tool. */
	action: string;
	description: string;
	/** What n8n's AI Builder is told of it, where it may choose wrongly. */
	builderHint?: IParameterBuilderHint;
	request: {
		method: IHttpRequestMethods;
		/** Below {@link API_PATH}; the name of a parameter in braces stands for its value. */
		url: string;
		/** Query and body fields that every request sends beside the parameters; a parameter's value takes precedence. */
		qs?: IDataObject;
		body?: IDataObject;
	};
	/** What sending the request again does; what HTTP promises of the method unless given. */
	repeat?: Repeat;
	strategy: StrategyName;
	/** The kind of record it answers with; absent where the API only acknowledges. */
	record?: RecordType;
	/** Its items have a role_id. */
	hasRole?: boolean;
	/** What to do when the API says that something is taken; a general advice unless given. */
	adviceIfTaken?: string;
	/** The query field whose list is too long for one URL, so that it is asked for in parts. */
	inParts?: string;
	/** A query field of a listing of which the API takes one value at a time; "all" stands for each of these in turn. */
	inTurn?: { field: string; values: number[] };
	/** How to read each record of the listing by itself, with "Include Details", and the form that it then has. */
	detail?: { url: string; record: RecordType };
	/** What the user is told beside the output. */
	hints?(input: Input): string[];
	/** Its own parameters; those that many operations share are added by `fieldsOf`. */
	fields: Field[];
	/** Checks that concern several parameters together; throws a Failure. */
	check?(input: Input): void;
	/** The identifiers of the record that is acted on, for answers without a record. */
	identify?(input: Input): IDataObject;
	/** The values that were set, for answers without a record. */
	valuesSet?(input: Input): IDataObject;
}

// What they change can be read before.
const COMPARING: readonly StrategyName[] = ['reorder', 'replace', 'updateRole', 'upsertTag'];

/** Whether an operation can compare what it is given with what is there, and send only what differs. */
export function canCompare({ strategy }: Operation): boolean {
	return COMPARING.includes(strategy);
}

/** What sending an operation's request again does. */
export function repeatOfOperation({ repeat, request }: Operation): Repeat {
	return repeat ?? repeatOf(request.method);
}

/** Whether an operation creates or changes something. */
export function isWriting(operation: Operation): boolean {
	return repeatOfOperation(operation) !== 'safe';
}

/** What the API has of one kind, and the operations on it. */
export interface Resource {
	/** Its label in the editor. */
	name: string;
	/** What stands below the label. */
	description?: string;
	value: string;
	/** The operation that is chosen at first. */
	initial: Operation;
	/** In alphabetical order of their labels. */
	operations: Operation[];
}
