import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../shared/failures/failure';
import type { Identifier } from '../../shared/exchange/request';
import type { Field } from './field';
import { keysOf, withOptions } from './field';
import { isIdentifier, ruleFor } from './rules';
import { requireSupported } from './supported';
import type { ReadValue } from './values';
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

/** Gives the value of a parameter by its name, or the fallback where it is not set. */
export type Parameter = (name: string, fallback: unknown) => unknown;

/** A parameter whose description has been looked at once, instead of for every item. */
interface ReadField {
	name: string;
	label: string;
	read: ReadValue;
	isRequired: boolean;
	/** Nothing but space is a value of it. */
	mayBeBlank: boolean;
	isIdentifier: boolean;
	/** Where its value is sent. */
	target?: { in: 'qs' | 'body'; keys: string[] };
	/** Other parameters, with the values for which this one is shown. */
	shownFor: Array<[string, unknown[]]>;
}

interface ReadCollection {
	name: string;
	label: string;
	options: ReadField[];
	/** An empty text clears a field of an existing record; elsewhere it means "not given". */
	mayClear: boolean;
	readAll: (value: unknown, label: string) => IDataObject;
}

/**
 * Prepares to read and check all parameters of an operation, before anything is sent.
 *
 * @param fields the operation's parameters
 * @returns reads those of one item; throws a Failure naming the first parameter that cannot be used
 * @throws Error when a field says something that is not supported here
 */
export function inputReader(fields: Field[]): (parameter: Parameter) => Input {
	fields.forEach(requireSupported);
	const labels = Object.fromEntries(
		withOptions(fields).map(({ name, displayName }) => [name, displayName]),
	);
	const prepared = fields.map((field) =>
		field.type === 'collection' ? toReadCollection(field) : toReadField(field),
	);
	return (parameter) => {
		const input: Input = {
			values: {},
			labels,
			body: {},
			qs: {},
			sendLabels: {},
			identifiers: [],
		};
		for (const field of prepared) {
			if ('options' in field) readCollection(input, field, parameter(field.name, {}));
			else if (isShown(field, input.values)) readField(input, field, parameter(field.name, null));
		}
		return input;
	};
}

function toReadField(field: Field): ReadField {
	const read = ruleFor(field) as ReadValue;
	const { property, type } = field.routing?.send ?? {};
	return {
		name: field.name,
		label: field.displayName,
		read,
		isRequired: field.required === true,
		mayBeBlank: field.required !== true && field.type === 'string',
		isIdentifier: isIdentifier(read),
		target: property === undefined ? undefined : toTarget(property, type),
		shownFor: Object.entries(field.displayOptions?.show ?? {}) as Array<[string, unknown[]]>,
	};
}

function toTarget(property: string, type?: string): ReadField['target'] {
	return { in: type === 'query' ? 'qs' : 'body', keys: keysOf(property) };
}

function toReadCollection({ name, displayName, options }: Field): ReadCollection {
	const fields = options as Field[];
	// A model gives JSON text; whatever else an expression gives would be taken for "nothing given".
	const example = fields.map((option) => `"${option.name}": …`).join(', ');
	return {
		name,
		label: displayName,
		options: fields.map(toReadField),
		mayClear: name === 'updateFields',
		readAll: objectLike(`{ ${example} }`),
	};
}

function readCollection(input: Input, collection: ReadCollection, value: unknown): void {
	const given = collection.readAll(value, collection.label);
	for (const option of collection.options) {
		noteLabel(input, option);
		const isGiven = given[option.name] !== '' || collection.mayClear;
		if (option.name in given && isGiven) readField(input, option, given[option.name]);
	}
}

function readField(input: Input, field: ReadField, raw: unknown): void {
	noteLabel(input, field);
	const value = locatorValue(raw);
	if (isMissing(value, field)) {
		if (!field.isRequired) return;
		throw badValue(field.label, 'is empty', `Give a value in "${field.label}".`);
	}
	const read = field.read(value, field.label);
	input.values[field.name] = read;
	if (field.isIdentifier) input.identifiers.push({ label: field.label, value: String(read) });
	if (field.target) merge(input[field.target.in], field.target.keys, read, field.label);
}

function isMissing(value: unknown, { mayBeBlank }: ReadField): boolean {
	if (value === undefined || value === null || Number.isNaN(value)) return true;
	return !mayBeBlank && typeof value === 'string' && value.trim() === '';
}

// Of two that send the same field, the one that is shown.
function noteLabel(input: Input, { target, label }: ReadField): void {
	if (target) input.sendLabels[target.keys[0]] = label;
}

// Which resource and operation it is shown for has been settled already.
function isShown({ shownFor }: ReadField, values: Record<string, unknown>): boolean {
	return shownFor.every(([name, wanted]) => !(name in values) || wanted.includes(values[name]));
}

// Two parameters may fill the same map of the API (members to add, members to remove).
function merge(target: IDataObject, keys: string[], value: unknown, label: string): void {
	let parent = target;
	for (const [index, key] of keys.slice(0, -1).entries()) {
		parent[key] ??= /^\d+$/.test(keys[index + 1]) ? [] : {};
		parent = parent[key] as IDataObject;
	}
	const last = keys[keys.length - 1];
	const before = parent[last];
	if (!isMap(before) || !isMap(value)) {
		parent[last] = value as IDataObject;
		return;
	}
	const twice = Object.keys(value).find((key) => key in before);
	if (twice !== undefined) {
		throw new Failure(
			`The member ${twice} is both added and removed`,
			`Name each member in one of the two lists only; "${label}" has one that the other list has too.`,
		);
	}
	parent[last] = { ...before, ...value };
}
