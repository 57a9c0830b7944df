import type { IDataObject } from 'n8n-workflow';
import type { Method } from '../../shared/transport';
import type { RecordType } from '../../shared/records/types';
import type { Field, Input } from '../input/field';

/** How an operation is carried out, with what only this way needs. Each is in `execute/strategies/`. */
export type StrategyUse =
	| { name: 'one' | 'createOrGet' | 'reorder' | 'replace' | 'updateMembers' | 'updateRole' }
	| ({ name: 'listing' | 'count' } & ListingRules)
	| { name: 'upsert'; kind: 'board' | 'tag' };

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
	strategy: StrategyUse;
	/** The type of record in the answer; absent if the API only acknowledges. */
	record?: RecordType;
	/** Its own parameters; `sharedFieldsOf` adds those of other operations. */
	fields: Field[];
	/** Checks several parameters together, and makes what is sent of them; throws a Failure. */
	check?(input: Input): void;
	/** Advice when the API answers that a unique value is taken; a general one unless given. */
	adviceIfTaken?: string;
	/** `owner` is the record of the owner of the API key, if the member is known to be the owner. */
	hints?(input: Input, owner?: IDataObject): string[];
	acknowledged?: Acknowledged;
}

/** What an item has if the API only acknowledges. */
export interface Acknowledged {
	/** What identifies the record; the identifier in the path, unless given. */
	identifiers?(input: Input): IDataObject;
	/** The msid of the one member that the operation is about. */
	member?(input: Input): unknown;
	/** The values that were set. */
	values?(input: Input): IDataObject;
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
	order?: IDataObject;
	/** Whether a record of a listing in that order is behind all that are wanted. */
	isOlderThanWanted?(record: IDataObject): boolean;
	/** Throws a Failure if the API hides what it goes by, as far as `keeps` has seen. */
	requireShown?(): void;
	/** The user's order, in the ways in which the API may sort; absent where the listings of several queries stay apart. */
	comparers?: Array<(a: IDataObject, b: IDataObject) => number>;
}

/** Whether an operation can compare the given values with the current record ("Skip Unchanged"). */
export function canCompare({ strategy }: Operation): boolean {
	return ['reorder', 'replace', 'updateRole', 'upsert'].includes(strategy.name);
}

/** Whether an operation is about members who are named in its parameters. */
export function namesMember({ request }: Operation): boolean {
	return request.url === '/users/{userId}' || request.url === '/boards/{boardId}/members';
}

/** The form of a listed record when it is read, if an operation has "Include Details". */
export function detailOf({ strategy }: Operation): RecordType | undefined {
	return 'detail' in strategy ? strategy.detail : undefined;
}

/** Whether the items of an operation have the role of a member. */
export function showsRole({ record, strategy }: Operation): boolean {
	return record?.compositeId !== undefined || strategy.name === 'updateRole';
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
