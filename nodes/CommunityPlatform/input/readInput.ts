import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../shared/transport';
import type { Field, Input } from '../actions/operation';
import { keysOf, rules, withOptions } from '../actions/operation';
import type { Directory, LookUp } from './identifiers';
import { EITHER } from './identifiers';
import { EMPTY } from './modelArguments';
import type { ReadValue } from './values';
import { badValue, isBlank, isMap, objectLike, readerOf } from './values';

/** How n8n gives the parameters of one item. */
export interface ItemParameters {
	/** A parameter's value, or the fallback if it is not set. Throws what its expression throws. */
	get(name: string, fallback: unknown): unknown;
	/** Whether a parameter is set by an expression of the workflow. */
	isExpression(name: string): boolean;
	/** Whether the node is used as a tool. */
	isTool: boolean;
}

/** The parameters of one item as they were read. */
export interface ReadItem {
	/** Complete once the look-ups are done. */
	input: Input;
	/** Each adds a value that only the API knows. */
	lookUps: Array<(directory: Directory) => Promise<void>>;
}

/** What to do about expressions that gave nothing. */
export const GAVE_NOTHING =
	'The expression gave nothing: the field is empty in this item, or has another name.';

/** The option of a collection that names the fields which are empty: all of them were given by it. */
export const WITHOUT_VALUE = 'withoutValue';

/** A parameter whose description is evaluated once, not for every item. */
interface ReadField {
	name: string;
	label: string;
	read: ReadValue;
	isRequired: boolean;
	mustBeGiven: boolean;
	isNeverShown: boolean;
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
	/** An empty text clears a field of an existing record; elsewhere it means "not given". */
	mayClear: boolean;
	readAll: (value: unknown, label: string) => IDataObject;
}

/**
 * Prepares to read and check all parameters of an operation, before anything is sent.
 *
 * @param fields the operation's parameters
 * @returns a function that reads the parameters of one item; it throws a Failure naming all that cannot be used
 */
export function inputReader(fields: Field[]): (parameters: ItemParameters) => ReadItem {
	// Only the editor shows notices.
	const read = fields
		.filter(({ type }) => type !== 'notice')
		.map((field) => (field.type === 'collection' ? toReadCollection(field) : toReadField(field)));
	const labels = Object.fromEntries(
		withOptions(fields).map(({ name, displayName }) => [name, displayName]),
	);
	return (parameters) => new Reading(parameters, labels).of(read);
}

function toReadField(field: Field): ReadField {
	const { property, type } = field.routing?.send ?? {};
	const { mustBeGiven, isIdentifier, isNeverShown, whenEmpty, ...own } = field[rules] ?? {};
	return {
		name: field.name,
		label: field.displayName,
		read: readerOf(field),
		isRequired: field.required === true,
		mustBeGiven: mustBeGiven === true,
		isNeverShown: isNeverShown === true,
		mayBeBlank: field.required !== true && field.type === 'string',
		isIdentifier: isIdentifier === true,
		whenEmpty,
		cleared: field.type === 'json' ? {} : '',
		givenTwice: own.givenTwice ?? givenTwice,
		target:
			property === undefined
				? undefined
				: { in: type === 'query' ? 'qs' : 'body', keys: keysOf(property) },
		shownFor: Object.entries(field.displayOptions?.show ?? {}) as Array<[string, unknown[]]>,
	};
}

function toReadCollection({ name, displayName, options }: Field): ReadCollection {
	const fields = options as Field[];
	// A model gives JSON text. Anything else would be mistaken for an empty collection.
	const example = fields.map((option) => `"${option.name}": …`).join(', ');
	return {
		name,
		label: displayName,
		options: fields.map(toReadField),
		mayClear: name === 'updateFields',
		readAll: objectLike(`{ ${example} }`),
	};
}

/** Reads the parameters of one item. */
class Reading {
	private readonly input: Input;
	private readonly lookUps: ReadItem['lookUps'] = [];
	private readonly failures = new Map<string, Failure>();

	constructor(
		private readonly parameters: ItemParameters,
		labels: Record<string, string>,
	) {
		this.input = {
			...{ values: {}, body: {}, qs: {}, sendLabels: {}, identifiers: [], gaveNothing: [] },
			...{ labels, isTool: parameters.isTool },
		};
	}

	/** @throws Failure that names all parameters that cannot be used, so that the user is told of all at once */
	of(fields: Array<ReadField | ReadCollection>): ReadItem {
		for (const field of fields) {
			this.attempt(field.name, () =>
				'options' in field ? this.readCollection(field) : this.readParameter(field),
			);
		}
		const [first, ...others] = this.failures.values();
		if (first === undefined) return { input: this.input, lookUps: this.lookUps };
		if (others.length === 0) throw first;
		const all = (of: (failure: Failure) => string) => [
			...new Set([...this.failures.values()].map(of)),
		];
		throw new Failure(
			all(({ message }) => message).join('. '),
			all(({ advice }) => advice).join(' '),
		);
	}

	private attempt(name: string, read: () => void): void {
		try {
			read();
		} catch (error) {
			this.failures.set(name, failureOf(error));
		}
	}

	private readParameter(field: ReadField): void {
		if (!this.isShown(field)) return;
		const value = this.parameters.get(field.name, null);
		if (this.read(field, value) || !field.isRequired) return;
		const gaveNothing = this.parameters.isExpression(field.name);
		if (field.whenEmpty === undefined || gaveNothing) throw missing(field, value, gaveNothing);
		this.read(field, field.whenEmpty);
	}

	// Conditions on resource and operation hold already. Whether a field is shown is not known where the parameter that
	// decides it cannot be used.
	private isShown({ shownFor }: ReadField): boolean {
		const { values } = this.input;
		return shownFor.every(
			([name, wanted]) =>
				!this.failures.has(name) && (!(name in values) || wanted.includes(values[name])),
		);
	}

	private readCollection({ name, label, options, mayClear, readAll }: ReadCollection): void {
		const value = this.parameters.get(name, {});
		// A model that is asked for the whole collection may leave it out.
		const given = readAll(this.input.isTool ? (value ?? {}) : value, label);
		const fields = options.filter((option) => option.name !== WITHOUT_VALUE);
		for (const option of fields) this.noteLabel(option);
		for (const option of fields) {
			if (!(option.name in given)) continue;
			this.attempt(option.name, () => this.readOption(option, given[option.name], mayClear));
		}
		const without = options.find((option) => option.name === WITHOUT_VALUE && option.name in given);
		if (without) this.attempt(without.name, () => this.readWithout(without, given, fields));
	}

	private readOption(option: ReadField, value: unknown, mayClear: boolean): void {
		const isByModel = this.input.isTool && value === EMPTY;
		const isUntouched = option.isNeverShown && !this.input.isTool && isEmptyMap(value);
		const isEmpty = isByModel || isEmptyText(value) || isUntouched;
		// What the API never shows looks empty, so only "Without a Value" clears it, or a model's two quotation marks.
		const isCleared = mayClear && (isByModel || !option.isNeverShown);
		if (isEmpty ? isCleared && this.read(option, option.cleared) : this.read(option, value)) return;
		// For a new record, a missing value is not worth a hint.
		if (mayClear && !isEmpty) this.input.gaveNothing.push(option.label);
		if (option.mustBeGiven && !this.input.isTool) throw missing(option, value, true);
	}

	private readWithout(without: ReadField, given: IDataObject, fields: ReadField[]): void {
		if (isBlank(given[without.name])) return;
		for (const name of without.read(given[without.name], without.label) as string[]) {
			const field = fields.find((each) => each.name === name) as ReadField;
			if (name in this.input.values) {
				throw badValue(
					field.label,
					`has a value and is chosen in '${without.label}'`,
					`Leave it empty, or take it out of '${without.label}'.`,
				);
			}
			this.put(field, field.cleared);
		}
	}

	/** @returns whether there was anything to read */
	private read(field: ReadField, raw: unknown): boolean {
		this.noteLabel(field);
		const locator = isMap(raw) && '__rl' in raw ? raw : undefined;
		const value = locator ? locator.value : raw === EMPTY && this.input.isTool ? '' : raw;
		if (isBlank(value) && !(field.mayBeBlank && typeof value === 'string')) return false;
		// A model may name a record by its ID or by its name.
		const mode = locator ? String(locator.mode) : this.input.isTool ? EITHER : undefined;
		const read = field.read(value, field.label, mode);
		if (typeof read === 'function') {
			const lookUp = read as LookUp;
			this.lookUps.push(async (directory) => this.put(field, await lookUp(directory)));
		} else {
			const picked = locator?.mode === 'list' ? locator.cachedResultName : undefined;
			this.put(field, read, typeof picked === 'string' ? picked : undefined);
		}
		return true;
	}

	private put(field: ReadField, value: unknown, picked?: string): void {
		const { input } = this;
		const { name, label, isIdentifier, target } = field;
		input.values[name] = value;
		if (isIdentifier) input.identifiers.push({ label, value: String(value), picked });
		if (!target) return;
		if (!isMap(value) || Object.keys(value).length > 0) input.sendLabels[nameOf(target)] = label;
		merge(input[target.in], target.keys, value, field);
	}

	// If two parameters send the same field, the label of the given one wins.
	private noteLabel({ target, label }: ReadField): void {
		if (target) this.input.sendLabels[nameOf(target)] ??= label;
	}
}

// Of `data.role_id`, the API speaks as role_id.
function nameOf({ keys }: { keys: string[] }): string {
	return keys.filter((key) => !/^\d+$/.test(key)).at(-1) ?? '';
}

// What n8n's expressions throw is passed on unchanged.
function failureOf(error: unknown): Failure {
	if (error instanceof Failure) return error;
	throw error;
}

function isEmptyText(value: unknown): boolean {
	return typeof value === 'string' && isBlank(value);
}

// As the editor begins a JSON field.
function isEmptyMap(value: unknown): boolean {
	return value === '{}' || (isMap(value) && Object.keys(value).length === 0);
}

function givenTwice(key: string, label: string): Failure {
	return badValue(label, `gives "${key}" a second time`, `Give "${key}" in one place only.`);
}

function missing({ label, read }: ReadField, raw: unknown, isExpression: boolean): Failure {
	const value = isMap(raw) && '__rl' in raw ? raw.value : raw;
	if (isExpression && value === undefined) {
		const advice = "The expression gave nothing. Check the field's name in the input.";
		return badValue(label, 'is empty', advice);
	}
	if (isExpression) {
		const advice = 'Fill in the field in the input, or leave this item out.';
		return badValue(label, 'is empty in this item', advice);
	}
	try {
		read('', label);
	} catch (error) {
		// It says what a dropdown offers, which a model does not see.
		if (error instanceof Failure) return badValue(label, 'is empty', error.advice);
	}
	return badValue(label, 'is empty', `Give a value in '${label}'.`);
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
