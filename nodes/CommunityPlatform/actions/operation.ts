import type { IDataObject } from 'n8n-workflow';
import type { Method } from '../../shared/transport';
import type { RecordType } from '../../shared/records/types';
import type { Field, Input } from '../input/field';

/** Each is in `execute/strategies/`. */
export type StrategyName =
	'one' | 'createOrGet' | 'listing' | 'count' | 'reorder' | 'replace' | 'updateRole' | 'upsert';

/** One endpoint of the API as an operation of the node. */
export interface Operation {
	name: string;
	value: string;
	/** The text in n8n's list of actions, and the description of the tool for a model. */
	action: string;
	description: string;
	/** A hint for n8n's AI Builder, for operations that it may confuse with others. */
	builderHint?: string;
	request: {
		method: Method;
		/** Below {@link API_PATH}; the name of a parameter in braces is replaced by its value. */
		url: string;
		/** Fields that every request sends beside the parameters; a parameter's value takes precedence. */
		body?: IDataObject;
	};
	strategy: StrategyName;
	/** The type of record in the answer; absent if the API only acknowledges. */
	record?: RecordType;
	showsRoleId?: boolean;
	/** Advice when the API answers that a unique value is taken; a general one unless given. */
	adviceIfTaken?: string;
	listing?: ListingRules;
	/** What "Create or Update" finds by its name. */
	upsertOf?: 'board' | 'tag';
	/** `owner` is the record of the owner of the API key, where the member is known to be the owner. */
	hints?(input: Input, owner?: IDataObject): string[];
	/** Its own parameters; `sharedFieldsOf` adds those of other operations. */
	fields: Field[];
	/** Checks several parameters together; throws a Failure. */
	check?(input: Input): void;
	/** What identifies the record in answers without one; the identifier in the path, unless given. */
	identify?(input: Input): IDataObject;
	/** The msid of the one member it is about, for answers without a record. */
	memberOf?(input: Input): unknown;
	/** The values that were set, for answers without a record. */
	valuesSet?(input: Input): IDataObject;
}

/** What the node does to a listing that the API cannot do. */
export interface ListingRules {
	/** The queries that it takes, if more than one. */
	queries?(qs: IDataObject): IDataObject[];
	filter?(input: Input): ListingFilter;
	/** With "Include Details": the form of a listed record when it is read. */
	detail?: RecordType;
}

/** What follows from the filters and the order that a user has set for a listing. */
export interface ListingFilter {
	/** Whether a record is wanted; absent where all are. */
	keeps?(record: IDataObject): boolean;
	/** The order in which the listing has to be read for it, the newest first; the user's is made afterwards. */
	readIn?: IDataObject;
	/** Whether a record of a listing in that order is behind all that are wanted. */
	isBehind?(record: IDataObject): boolean;
	/** Throws a Failure if the API hides what it goes by, as far as `keeps` has seen. */
	requireShown?(): void;
	/** The user's order, in the ways in which the API may sort; absent where the listings of several queries stay apart. */
	orders?: Array<(a: IDataObject, b: IDataObject) => number>;
}

/** Whether an operation can compare the given values with the current record ("Skip Unchanged"). */
export function canCompare({ strategy }: Operation): boolean {
	return ['reorder', 'replace', 'updateRole', 'upsert'].includes(strategy);
}

/** Whether an operation creates or changes something. */
export function isWriting({ request }: Operation): boolean {
	return request.method !== 'GET';
}

export interface Resource {
	name: string;
	description?: string;
	value: string;
	initial: Operation;
	/** In alphabetical order of their labels. */
	operations: Operation[];
}
