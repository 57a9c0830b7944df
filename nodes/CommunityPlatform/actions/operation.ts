import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Failure } from '../../shared/failure';
import type { Method } from '../../shared/transport';
import type { RecordType } from '../../shared/records/types';
import type { Input, ReadValue } from '../input/values';

/** The key of a parameter's {@link FieldRules}; a symbol, so that n8n does not see it. */
export const own = Symbol('own');

/** What n8n's description of a parameter has no place for. */
export interface FieldRules {
	/** Reads its value into the API's type; by the parameter's type unless given. */
	read?: ReadValue;
	defaultTo?: string;
	/** The failure for a key that another parameter has given, too, when both fill the same map of the API. */
	givenTwice?(key: string, label: string): Failure;
	isIdentifier?: boolean;
	/** Whether the API requires it in an update (docs/api/openapi.yaml). */
	requiredInUpdate?: boolean;
	/** Whether no answer to a read shows it, so that an update cannot keep it. */
	isNeverShown?: boolean;
	/** Whether GET /users/me shows it all the same. */
	isShownToOwner?: boolean;
	/**
	 * The value that keeps it in an update: unless given, the record's field of the same name; undefined if the record
	 * does not show it. Throws a Failure when no value would keep it.
	 */
	valueToKeep?(record: IDataObject, values: Input['values']): unknown;
	/** Whether two of its values mean the same to the API; by its type unless given. */
	isSame?(a: unknown, b: unknown): boolean;
}

export interface Field extends INodeProperties {
	[own]?: FieldRules;
}

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

/** Fields, with collections replaced by their options. */
export function withOptions(fields: Field[]): Field[] {
	return fields.flatMap((each) =>
		each.type === 'collection' ? ((each.options ?? []) as Field[]) : each,
	);
}

/** The path of a field in a body or query as keys: `authors[0]` becomes authors and 0. */
export function keysOf(property: string): string[] {
	return property.split(/[.[\]]+/).filter((key) => key !== '');
}

export interface Resource {
	name: string;
	description?: string;
	value: string;
	initial: Operation;
	/** In alphabetical order of their labels. */
	operations: Operation[];
}
