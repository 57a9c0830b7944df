import type { IDataObject, IHttpRequestMethods, IParameterBuilderHint } from 'n8n-workflow';
import type { Repeat } from '../../shared/transport/request';
import { repeatOf } from '../../shared/transport/request';
import type { RecordType } from '../../shared/records/types';
import type { Field } from '../input/field';
import type { Input } from '../input/input';

/** The strategies by which operations send requests, each a file in `send/strategies/`. */
export type StrategyName = 'one' | 'listing' | 'reorder' | 'replace' | 'updateRole' | 'upsertTag';

/** One endpoint of the API as an operation of the node. */
export interface Operation {
	/** Its label in the editor. */
	name: string;
	value: string;
	/** The text in n8n's list of actions, and the description of the tool for a model. */
	action: string;
	description: string;
	/** A hint for n8n's AI Builder, for operations that it may confuse with others. */
	builderHint?: IParameterBuilderHint;
	request: {
		method: IHttpRequestMethods;
		/** Below {@link API_PATH}; the name of a parameter in braces is replaced by its value. */
		url: string;
		/** Query and body fields that every request sends beside the parameters; a parameter's value takes precedence. */
		qs?: IDataObject;
		body?: IDataObject;
	};
	/** The effect of sending the request again; by its HTTP method unless given. */
	repeat?: Repeat;
	strategy: StrategyName;
	/** The type of record in the answer; absent if the API only acknowledges. */
	record?: RecordType;
	/** Whether its items have a role_id. */
	hasRole?: boolean;
	/** Advice when the API answers that a unique value is taken; a general one unless given. */
	adviceIfTaken?: string;
	/** A query field whose list may be too long for one URL, so that it is requested in parts. */
	inParts?: string;
	/** A query field of a listing that takes one value at a time; "all" lists each of these values in turn. */
	inTurn?: { field: string; values: number[] };
	/** With "Include Details": the endpoint that reads each listed record, and the form of that record. */
	detail?: { url: string; record: RecordType };
	/** Hints beside the output. */
	hints?(input: Input): string[];
	/** Its own parameters; `fieldsOf` adds the shared ones. */
	fields: Field[];
	/** Checks several parameters together; throws a Failure. */
	check?(input: Input): void;
	/** The identifiers of the record, for answers without one. */
	identify?(input: Input): IDataObject;
	/** The values that were set, for answers without a record. */
	valuesSet?(input: Input): IDataObject;
}

// Strategies whose records can be read before the change.
const COMPARING: readonly StrategyName[] = ['reorder', 'replace', 'updateRole', 'upsertTag'];

/** Whether an operation can compare the given values with the present record ("Skip Unchanged"). */
export function canCompare({ strategy }: Operation): boolean {
	return COMPARING.includes(strategy);
}

/** The effect of sending an operation's request again. */
export function repeatOfOperation({ repeat, request }: Operation): Repeat {
	return repeat ?? repeatOf(request.method);
}

/** Whether an operation creates or changes something. */
export function isWriting(operation: Operation): boolean {
	return repeatOfOperation(operation) !== 'safe';
}

/** A resource of the API, with its operations. */
export interface Resource {
	/** Its label in the editor. */
	name: string;
	/** The text below the label. */
	description?: string;
	value: string;
	/** The default operation. */
	initial: Operation;
	/** In alphabetical order of their labels. */
	operations: Operation[];
}
