import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { Failure } from '../../shared/failure';
import type { Identifier } from '../../shared/request';
import { isIdentifier, ruleFor } from './rules';
import { badValue, isMap, locatorValue, objectLike } from './values';

/** What the user gave for one operation on one item, checked and in the API's types. */
export interface Input {
	/** Parameters by name, those of collections included; what was left empty is absent. */
	values: Record<string, unknown>;
	/** Labels by parameter name. */
	labels: Record<string, string>;
	body: IDataObject;
	qs: IDataObject;
	/** For each field of the API that the operation can send: the label of its parameter. */
	sendLabels: Record<string, string>;
	/** The parameters that name a record. */
	identifiers: Identifier[];
}

/**
 * Reads and checks all parameters of an operation, before anything is sent.
 *
 * @param parameter gives the value of a parameter by its name, or the fallback where it is not set
 * @param fields the operation's parameters
 * @throws Failure naming the first parameter that cannot be used
 */
export function readInput(
	parameter: (name: string, fallback: unknown) => unknown,
	fields: INodeProperties[],
): Input {
	const input: Input = {
		values: {},
		labels: {},
		body: {},
		qs: {},
		sendLabels: {},
		identifiers: [],
	};
	for (const field of fields) {
		if (!isShown(field, input.values)) continue;
		if (field.type === 'collection') {
			readCollection(input, field, parameter(field.name, {}));
		} else readField(input, field, parameter(field.name, null));
	}
	return input;
}

function readCollection(input: Input, collection: INodeProperties, value: unknown): void {
	const options = collection.options as INodeProperties[];
	// A model gives JSON text; whatever else an expression gives would be taken for "nothing given".
	const example = options.map(({ name }) => `"${name}": …`).join(', ');
	const given = objectLike(`{ ${example} }`)(value, collection.displayName);
	for (const option of options) {
		noteLabels(input, option);
		// An empty text clears a field of an existing record; elsewhere it means "not given".
		const isGiven = given[option.name] !== '' || collection.name === 'updateFields';
		if (option.name in given && isGiven) readField(input, option, given[option.name]);
	}
}

function readField(input: Input, field: INodeProperties, raw: unknown): void {
	noteLabels(input, field);
	const value = locatorValue(raw);
	if (isMissing(value, field)) {
		if (!field.required) return;
		throw badValue(field.displayName, 'is empty', `Give a value in "${field.displayName}".`);
	}
	const rule = ruleFor(field);
	const read = rule(value, field.displayName);
	input.values[field.name] = read;
	if (isIdentifier(rule)) input.identifiers.push({ label: field.displayName, value: String(read) });
	const { property, type } = field.routing?.send ?? {};
	if (property === undefined) return;
	merge(type === 'query' ? input.qs : input.body, property, read, field);
}

function isMissing(value: unknown, field: INodeProperties): boolean {
	if (value === undefined || value === null || Number.isNaN(value)) return true;
	if (typeof value !== 'string' || value.trim() !== '') return false;
	return field.required === true || field.type !== 'string';
}

function noteLabels(input: Input, field: INodeProperties): void {
	input.labels[field.name] = field.displayName;
	const property = field.routing?.send?.property;
	if (property !== undefined) input.sendLabels[topLevel(property)] = field.displayName;
}

function isShown({ displayOptions }: INodeProperties, values: Record<string, unknown>): boolean {
	return Object.entries(displayOptions?.show ?? {}).every(
		([name, shownFor]) => !(name in values) || (shownFor as unknown[]).includes(values[name]),
	);
}

function topLevel(property: string): string {
	return property.split(/[.[]/)[0];
}

// Two parameters may fill the same map of the API (members to add, members to remove).
function merge(
	target: IDataObject,
	property: string,
	value: unknown,
	field: INodeProperties,
): void {
	const keys = property.split(/[.[\]]+/).filter((key) => key !== '');
	const last = keys.pop() as string;
	const parent = keys.reduce<IDataObject>((at, key, index) => {
		const isList = /^\d+$/.test(keys[index + 1] ?? last);
		at[key] ??= isList ? [] : {};
		return at[key] as IDataObject;
	}, target);
	const before = parent[last];
	if (!isMap(before) || !isMap(value)) {
		parent[last] = value as IDataObject;
		return;
	}
	const twice = Object.keys(value).find((key) => key in before);
	if (twice !== undefined) {
		throw new Failure(
			`The member ${twice} is both added and removed`,
			`Name each member in one of the two lists only; "${field.displayName}" has one that the other list has too.`,
		);
	}
	parent[last] = { ...before, ...value };
}
