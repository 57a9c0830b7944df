import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../shared/transport/failure';
import type { Field } from './field';
import { keysOf, meaning, withOptions } from './field';
import type { FieldGroup } from './fieldGroup';
import { toFieldGroup, ungrouped } from './fieldGroup';
import { BY_MODEL } from './identifiers';
import type { Input } from './input';
import { locatorMode, locatorValue, pickedName } from './locator';
import type { Reference } from './reference';
import { Referring } from './reference';
import { ruleFor } from './rules';
import { requireSupported } from './supported';
import type { ReadValue } from './values';
import { badValue, isMap, objectLike } from './values';

/** An item's parameters as they were read, with references not yet resolved. */
export interface UnresolvedInput {
	/** Without the parameters that refer to something. */
	input: Input;
	/** The parameters whose references have to be resolved. */
	pending: Pending[];
}

/** A parameter that refers to what only the API knows. */
interface Pending {
	field: ReadField;
	value: Referring;
}

/** Gives the value of a parameter by its name, or the fallback where it is not set. */
export type Parameter = (name: string, fallback: unknown) => unknown;

/** What to do about an expression that gave nothing. */
export const GAVE_NOTHING = "The expression gave nothing. Check the field's name in the input.";

/** A parameter whose description is evaluated once, not for every item. */
interface ReadField {
	name: string;
	label: string;
	read: ReadValue;
	isRequired: boolean;
	/** See `Meaning.mustBeGiven`. */
	mustBeGiven: boolean;
	/** Whether blank text is a value of it. */
	mayBeBlank: boolean;
	isIdentifier: boolean;
	whenEmpty?: string;
	/** The value that clears it. */
	cleared: unknown;
	givenTwice: (key: string, label: string) => Failure;
	/** Where its value is sent. */
	target?: { in: 'qs' | 'body'; keys: string[] };
	/** Other parameters, with the values for which this one is shown. */
	shownFor: Array<[string, unknown[]]>;
}

interface ReadCollection {
	name: string;
	label: string;
	options: ReadField[];
	/** Options that hold others. */
	groups: FieldGroup[];
	/** An empty text clears a field of an existing record; elsewhere it means "not given". */
	mayClear: boolean;
	readAll: (value: unknown, label: string) => IDataObject;
}

/**
 * Prepares to read and check all parameters of an operation, before anything is sent.
 *
 * @param allFields the operation's parameters
 * @returns a function that reads the parameters of one item. It is told which of them are set by an expression, and by
 * which arguments a model gives them; it throws a Failure naming all parameters that cannot be used
 * @throws Error when the description of a field has a feature that is not supported
 */
export function inputReader(
	allFields: Field[],
): (
	parameter: Parameter,
	isExpression?: (name: string) => boolean,
	argumentFor?: Input['argumentFor'],
) => UnresolvedInput {
	// Only the editor shows notices.
	const fields = allFields.filter(({ type }) => type !== 'notice');
	fields.forEach(requireSupported);
	const labels = Object.fromEntries(
		withOptions(fields).map(({ name, displayName }) => [name, displayName]),
	);
	const prepared = fields.map((field) =>
		field.type === 'collection' ? toReadCollection(field) : toReadField(field),
	);
	return (parameter, isExpression, argumentFor) => {
		const input: Input = {
			values: {},
			labels,
			body: {},
			qs: {},
			sendLabels: {},
			identifiers: [],
			gaveNothing: [],
			argumentFor,
		};
		const read: UnresolvedInput = { input, pending: [] };
		const refused = new Refused();
		for (const field of prepared) {
			if ('options' in field) {
				refused.by(field, () => {
					const given = parameter(field.name, {});
					// A model that is asked for the whole collection may leave it out.
					const isUnsaid = argumentFor !== undefined && given === null;
					readCollection(read, field, isUnsaid ? {} : given, refused);
				});
			} else if (!refused.decides(field) && isShown(field, input.values)) {
				refused.by(field, () => {
					if (readField(read, field, parameter(field.name, null)) || !field.isRequired) return;
					const gaveNothing = isExpression?.(field.name) === true;
					if (field.whenEmpty === undefined || gaveNothing) throw missing(field, gaveNothing);
					readField(read, field, field.whenEmpty);
				});
			}
		}
		refused.throwAll();
		return read;
	};
}

/** The parameters of an item that cannot be used, so that the user is told of all at once. */
class Refused {
	private readonly names = new Set<string>();
	private readonly failures: Failure[] = [];

	/** Reads a parameter and keeps the Failure that it throws. */
	by({ name }: { name: string }, read: () => void): void {
		try {
			read();
		} catch (error) {
			this.failures.push(failureOf(error));
			this.names.add(name);
		}
	}

	/** Whether it is not known if a field is shown, because the parameter that decides it cannot be used. */
	decides({ shownFor }: ReadField): boolean {
		return shownFor.some(([name]) => this.names.has(name));
	}

	throwAll(): void {
		if (this.failures.length === 0) return;
		const [first] = this.failures;
		if (this.failures.length === 1) throw first;
		const all = (of: (failure: Failure) => string) => [...new Set(this.failures.map(of))];
		const reasons = all(({ message }) => message).join('. ');
		throw new Failure(reasons, all(({ advice }) => advice).join(' '));
	}
}

// What n8n's expressions throw is passed on unchanged.
function failureOf(error: unknown): Failure {
	if (error instanceof Failure) return error;
	throw error;
}

/**
 * Completes an item's input.
 *
 * @param ids the identifier of each reference
 * @returns the input, which is the same object
 * @throws Failure when the values cannot be used together
 */
export function resolvedInput(
	{ input, pending }: UnresolvedInput,
	ids: ReadonlyMap<Reference, string> = new Map(),
): Input {
	for (const { field, value } of pending) {
		const found = value.references.map((reference) => ids.get(reference) as string);
		put(input, field, value.valueOf(found));
	}
	return input;
}

function toReadField(field: Field): ReadField {
	const read = ruleFor(field) as ReadValue;
	const { property, type } = field.routing?.send ?? {};
	return {
		name: field.name,
		label: field.displayName,
		read,
		isRequired: field.required === true,
		mustBeGiven: field[meaning]?.mustBeGiven === true,
		mayBeBlank: field.required !== true && field.type === 'string',
		isIdentifier: field[meaning]?.isIdentifier === true,
		whenEmpty: field[meaning]?.whenEmpty,
		cleared: field.type === 'json' ? {} : '',
		givenTwice: field[meaning]?.givenTwice ?? givenTwice,
		target: property === undefined ? undefined : toTarget(property, type),
		shownFor: Object.entries(field.displayOptions?.show ?? {}) as Array<[string, unknown[]]>,
	};
}

function toTarget(property: string, type?: string): ReadField['target'] {
	return { in: type === 'query' ? 'qs' : 'body', keys: keysOf(property) };
}

function toReadCollection({ name, displayName, options }: Field): ReadCollection {
	const fields = options as Field[];
	// A model gives JSON text. Anything else would be mistaken for an empty collection.
	const example = fields.map((option) => `"${option.name}": …`).join(', ');
	return {
		name,
		label: displayName,
		options: fields.filter((option) => !option[meaning]?.group).map(toReadField),
		groups: fields.flatMap(toFieldGroup),
		mayClear: name === 'updateFields',
		readAll: objectLike(`{ ${example} }`),
	};
}

function readCollection(
	unresolved: UnresolvedInput,
	collection: ReadCollection,
	value: unknown,
	refused: Refused,
): void {
	const { input } = unresolved;
	const given = ungrouped(
		collection.groups,
		collection.options,
		collection.readAll(value, collection.label),
	);
	for (const option of collection.options) {
		noteLabel(input, option);
		const isEmpty = given[option.name] === '';
		const mayBeLeftOut = !collection.mayClear && !option.mustBeGiven;
		if (!(option.name in given) || (isEmpty && mayBeLeftOut)) continue;
		// JSON is text, so that it can be empty.
		const value = isEmpty ? option.cleared : given[option.name];
		refused.by(option, () => {
			const isRead = readField(unresolved, option, value);
			// For a new record, a missing value is not worth a hint.
			if (!isRead && collection.mayClear) input.gaveNothing.push(option.label);
			if (!isRead && option.mustBeGiven && !input.argumentFor) throw missing(option, true);
		});
	}
}

/** @returns whether there was anything to read */
function readField({ input, pending }: UnresolvedInput, field: ReadField, raw: unknown): boolean {
	noteLabel(input, field);
	const value = locatorValue(raw);
	if (isMissing(value, field)) return false;
	// A model may name a record by its ID or by its name.
	const mode = locatorMode(raw) ?? (input.argumentFor ? BY_MODEL : undefined);
	const read = field.read(value, field.label, mode);
	if (read instanceof Referring) pending.push({ field, value: read });
	else put(input, field, read, pickedName(raw));
	return true;
}

function put(input: Input, field: ReadField, value: unknown, picked?: string): void {
	const { name, label, isIdentifier, target } = field;
	input.values[name] = value;
	const isGiven = !isMap(value) || Object.keys(value).length > 0;
	if (target && isGiven) input.sendLabels[target.keys[0]] = label;
	if (isIdentifier) input.identifiers.push({ label, value: String(value), picked });
	if (target) merge(input[target.in], target.keys, value, field);
}

function givenTwice(key: string, label: string): Failure {
	return badValue(label, `gives "${key}" a second time`, `Give "${key}" in one place only.`);
}

function missing(field: ReadField, isExpression: boolean): Failure {
	return badValue(field.label, 'is empty', isExpression ? GAVE_NOTHING : whatToGive(field));
}

// A model does not see what a dropdown offers.
function whatToGive({ label, read }: ReadField): string {
	try {
		read('', label);
	} catch (error) {
		return failureOf(error).advice;
	}
	return `Give a value in "${label}".`;
}

function isMissing(value: unknown, { mayBeBlank }: ReadField): boolean {
	if (value === undefined || value === null || Number.isNaN(value)) return true;
	return !mayBeBlank && typeof value === 'string' && value.trim() === '';
}

// If two parameters send the same field, the label of the given one wins.
function noteLabel(input: Input, { target, label }: ReadField): void {
	if (target) input.sendLabels[target.keys[0]] ??= label;
}

// Conditions on resource and operation hold already.
function isShown({ shownFor }: ReadField, values: Record<string, unknown>): boolean {
	return shownFor.every(([name, wanted]) => !(name in values) || wanted.includes(values[name]));
}

// Two parameters may fill the same map of the API (members to add, members to remove).
function merge(target: IDataObject, keys: string[], value: unknown, field: ReadField): void {
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
	if (twice !== undefined) throw field.givenTwice(twice, field.label);
	parent[last] = { ...before, ...value };
}
