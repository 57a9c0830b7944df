import type { IDataObject } from 'n8n-workflow';
import type { Effect, Method } from '../../shared/transport';
import type { RecordType } from '../../shared/records/types';
import type { Field, Input } from './field';

/** How an operation is carried out, with the arguments that only this strategy needs (`strategies/`). */
export type Strategy =
	| { name: 'createOrGet' | 'reorder' | 'replace' | 'updateMembers' | 'updateRole' }
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
	effect: Effect;
	request: {
		method: Method;
		/** Below {@link API_PATH}. The name of a parameter in braces is replaced by its value. */
		url: string;
		/** Fields that every request sends, unless a parameter has another value. */
		body?: IDataObject;
	};
	/** How it is carried out. Unset for one request. */
	strategy?: Strategy;
	/** The type of record in the answer. Absent if the API only acknowledges. */
	record?: RecordType;
	/** Whether its items have the role of a member. */
	hasRole?: boolean;
	/** What the option 'If Not Found' leaves out: the item of a member, or members of a list. */
	leavesOut?: 'member' | 'membersOfList';
	/**
	 * Returns what tells apart the records that it creates. Creates of the same one wait for each other, those of others do
	 * not. Unset if all keep the order of the items.
	 */
	createsOne?(input: Input): string;
	/** Its own parameters. `sharedFieldsOf` adds those that it shares with others. */
	fields: Field[];
	/** Checks several parameters together and can change what is sent. Throws a Failure. */
	check?(input: Input): void;
	/** Advice if the API answers that a unique value is taken. A general one by default. */
	adviceIfTaken?: string;
	hints?(input: Input): string[];
	acknowledged?: Acknowledged;
}

/** The fields of an item if the API only acknowledges. */
export interface Acknowledged {
	/** The ID of the record. By default that of the record in the path. */
	identifiers?(input: Input): IDataObject;
	/** The msid of the one member that the operation is about. */
	member?(input: Input): string | undefined;
	/** The values that were set. */
	values?(input: Input): IDataObject;
}

/** What the node does to a list, because the API cannot. */
export interface ListingRules {
	/** The queries, if the list takes more than one. */
	queries?(qs: IDataObject): IDataObject[];
	filter?(input: Input): ListingFilter;
	/** The form of a listed record when it is read for 'Include Details'. */
	detail?: RecordType;
}

/** What follows from the filters that were set for a list. */
export interface ListingFilter {
	/** Whether a record is wanted. Absent if all are. */
	matches?(record: IDataObject): boolean;
	/** The order of the list. Absent if it is the one that was set. */
	order?: IDataObject;
	/** Whether a record of a list that begins with the newest comes after all that are wanted. */
	isOlderThanWanted?(record: IDataObject): boolean;
	/** Throws a Failure if the API hides a field that is filtered by, as far as `matches` has seen. */
	requireReturned?(): void;
}

/** Whether an operation can compare the new values with the current record ('Skip Unchanged'). */
export function canCompare({ strategy }: Operation): boolean {
	return ['reorder', 'replace', 'updateRole', 'upsert'].includes(strategy?.name ?? '');
}

/** Whether the items of an operation show what was created or changed ('Return Only Changed'). */
export function canReturnOnlyChanged({ strategy }: Operation): boolean {
	return ['createOrGet', 'updateRole', 'upsert'].includes(strategy?.name ?? '');
}

/** The form of a listed record when it is read, if an operation has 'Include Details'. */
export function detailOf({ strategy }: Operation): RecordType | undefined {
	return strategy && 'detail' in strategy ? strategy.detail : undefined;
}

/** Whether an operation creates or changes something. */
export function isWriting({ effect }: Operation): boolean {
	return effect !== 'reads';
}

export interface Resource {
	name: string;
	description?: string;
	value: string;
	initial: Operation;
	/** In alphabetical order of their labels. */
	operations: Operation[];
}
