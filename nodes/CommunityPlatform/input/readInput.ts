import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import { Failure, combined } from '../../shared/transport';
import type { Field, FieldRules } from '../actions/operation';
import { keysOf, own, withOptions } from '../actions/operation';
import type { Directory, LookUp } from './identifiers';
import { ID_OR_NAME } from './identifiers';
import type { Input } from './input';
import { EMPTY } from './modelArguments';
import type { ReadValue } from './values';
import {
	badValue,
	booleanValue,
	emptyInItem,
	hexColor,
	isBlank,
	isMap,
	objectLike,
	oneOf,
	text,
	wholeNumber,
} from './values';

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

/** A parameter, with what is prepared of it once, not for every item. */
interface Parameter extends FieldRules {
	field: Field;
	label: string;
	read: ReadValue;
	/** Where its value is sent, and what the API calls it there: of `data.role_id`, it speaks as role_id. */
	target?: { in: 'qs' | 'body'; keys: string[]; name: string };
	/** Of a collection: how to read it, and the parameters in it. */
	readAll?: (value: unknown, label: string) => IDataObject;
	options: Parameter[];
}

/**
 * Prepares to read and check all parameters of an operation, before anything is sent.
 *
 * @returns a function that reads the parameters of one item; it throws a Failure naming all that cannot be used
 */
export function inputReader(fields: Field[]): (parameters: ItemParameters) => ReadItem {
	// Only the editor shows notices.
	const prepared = fields.filter(({ type }) => type !== 'notice').map(toParameter);
	const labels = Object.fromEntries(
		withOptions(fields).map(({ name, displayName }) => [name, displayName]),
	);
	return (parameters) => new Reading(parameters, labels).of(prepared);
}

function toParameter(field: Field): Parameter {
	const { property, type } = field.routing?.send ?? {};
	const keys = keysOf(property ?? '');
	const name = keys.findLast((key) => !/^\d+$/.test(key)) ?? '';
	const options = field.type === 'collection' ? (field.options as Field[]) : [];
	// A model gives JSON text. Anything else would be mistaken for an empty collection.
	const example = options.map((option) => `"${option.name}": …`).join(', ');
	return {
		...field[own],
		field,
		label: field.displayName,
		read: readerOf(field),
		...(property !== undefined && {
			target: { in: type === 'query' ? 'qs' : 'body', keys, name },
		}),
		...(field.type === 'collection' && { readAll: objectLike(`{ ${example} }`) }),
		options: options.map(toParameter),
	};
}

/** Reads the parameters of one item. */
class Reading {
	private readonly input: Input;
	private readonly lookUps: ReadItem['lookUps'] = [];
	private readonly failures = new Map<string, Failure>();

	constructor(
		private readonly given: ItemParameters,
		labels: Record<string, string>,
	) {
		this.input = {
			...{ values: {}, body: {}, qs: {}, sendLabels: {}, identifiers: [], gaveNothing: [] },
			...{ labels, isTool: given.isTool },
		};
	}

	/** @throws Failure that names all parameters that cannot be used, so that the user is told of all at once */
	of(parameters: Parameter[]): ReadItem {
		for (const each of parameters) {
			this.attempt(each, () =>
				each.readAll ? this.readCollection(each, each.readAll) : this.readParameter(each),
			);
		}
		const failures = [...this.failures.values()];
		if (failures.length === 0) return { input: this.input, lookUps: this.lookUps };
		throw combined(failures);
	}

	private attempt({ field }: Parameter, read: () => void): void {
		try {
			read();
		} catch (error) {
			this.failures.set(field.name, failureOf(error));
		}
	}

	private readParameter(parameter: Parameter): void {
		const { field, defaultTo } = parameter;
		if (!this.isShown(field)) return;
		const value = this.given.get(field.name, null);
		const gaveNothing = this.given.isExpression(field.name);
		const requiredInUpdate = field.required || (gaveNothing && isDecisive(field));
		if (this.read(parameter, value) || !requiredInUpdate) return;
		if (defaultTo === undefined || gaveNothing) throw missing(parameter, value, gaveNothing);
		this.read(parameter, defaultTo);
	}

	// Conditions on resource and operation hold already. Whether a field is shown is not known where the parameter that
	// decides it cannot be used.
	private isShown({ displayOptions }: Field): boolean {
		const { values } = this.input;
		return Object.entries(displayOptions?.show ?? {}).every(
			([name, wanted]) =>
				!this.failures.has(name) &&
				(!(name in values) || (wanted as unknown[]).includes(values[name])),
		);
	}

	private readCollection(
		{ field, label, options: all }: Parameter,
		readAll: NonNullable<Parameter['readAll']>,
	): void {
		const value = this.given.get(field.name, {});
		// A model that is asked for the whole collection may leave it out.
		const given = readAll(this.input.isTool ? (value ?? {}) : value, label);
		const isWithout = (option: Parameter) => option.field.name === WITHOUT_VALUE;
		const options = all.filter((option) => !isWithout(option));
		// An empty text clears a field of an existing record; elsewhere it means "not given".
		const mayClear = field.name === 'updateFields';
		for (const option of options) {
			if (!(option.field.name in given)) continue;
			this.attempt(option, () => this.readOption(option, given[option.field.name], mayClear));
		}
		const without = all.find(isWithout);
		if (!without || isBlank(given[WITHOUT_VALUE])) return;
		this.attempt(without, () => this.readWithout(without, given[WITHOUT_VALUE], options));
	}

	private readOption(option: Parameter, value: unknown, mayClear: boolean): void {
		const { field, isNeverShown, label } = option;
		const isByModel = this.input.isTool && value === EMPTY;
		const isUntouched = isNeverShown && !this.input.isTool && isEmptyMap(value);
		const isEmpty = isByModel || isUntouched || (typeof value === 'string' && isBlank(value));
		// What the API never shows looks empty, so only "Without a Value" clears it, or a model's two quotation marks.
		const isCleared = mayClear && (isByModel || !isNeverShown);
		if (isEmpty ? isCleared && this.read(option, clearedOf(option)) : this.read(option, value)) {
			return;
		}
		// For a new record, a missing value is not worth a hint.
		if (mayClear && !isEmpty) this.input.gaveNothing.push(label);
		if (!mayClear && isDecisive(field) && !this.input.isTool) throw missing(option, value, true);
	}

	private readWithout(without: Parameter, names: unknown, options: Parameter[]): void {
		for (const name of without.read(names, without.label) as string[]) {
			const option = options.find(({ field }) => field.name === name) as Parameter;
			if (name in this.input.values) {
				throw badValue(
					option.label,
					`has a value and is chosen in '${without.label}'`,
					`Leave it empty, or take it out of '${without.label}'.`,
				);
			}
			this.put(option, clearedOf(option));
		}
	}

	/** @returns whether there was anything to read */
	private read(parameter: Parameter, raw: unknown): boolean {
		const { field, label } = parameter;
		const locator = isMap(raw) && '__rl' in raw ? raw : undefined;
		const value = locator ? locator.value : raw === EMPTY && this.input.isTool ? '' : raw;
		// Blank text is a value of what need not be given.
		const mayBeBlank = field.required !== true && field.type === 'string';
		if (isBlank(value) && !(mayBeBlank && typeof value === 'string')) return false;
		// A model may name a record by its ID or by its name.
		const mode = locator ? String(locator.mode) : this.input.isTool ? ID_OR_NAME : undefined;
		const read = parameter.read(value, label, mode);
		if (typeof read === 'function') {
			const lookUp = read as LookUp;
			this.lookUps.push(async (directory) => this.put(parameter, await lookUp(directory)));
		} else {
			const picked = locator?.mode === 'list' ? locator.cachedResultName : undefined;
			this.put(parameter, read, typeof picked === 'string' ? picked : undefined);
		}
		return true;
	}

	private put(parameter: Parameter, value: unknown, picked?: string): void {
		const { input } = this;
		const { field, label, isIdentifier, target } = parameter;
		input.values[field.name] = value;
		if (isIdentifier) input.identifiers.push({ label, value: String(value), picked });
		if (!target) return;
		// If two parameters send the same field, the label of the given one wins.
		if (!isMap(value) || Object.keys(value).length > 0) input.sendLabels[target.name] = label;
		merge(input[target.in], target.keys, value, parameter);
	}
}

// What n8n's expressions throw is passed on unchanged.
function failureOf(error: unknown): Failure {
	if (error instanceof Failure) return error;
	throw error;
}

function clearedOf({ field }: Parameter): unknown {
	return field.type === 'json' ? {} : '';
}

// As the editor begins a JSON field.
function isEmptyMap(value: unknown): boolean {
	return value === '{}' || (isMap(value) && Object.keys(value).length === 0);
}

/** How to read a parameter: its own `read`, otherwise by its type. */
function readerOf(field: Field): ReadValue {
	const { type, options = [], typeOptions = {} } = field;
	const ownReader = field[own]?.read;
	if (ownReader) return ownReader;
	switch (type) {
		case 'boolean':
			return booleanValue;
		case 'number':
			return wholeNumber(typeOptions.minValue ?? 0, typeOptions.maxValue);
		case 'color':
			return hexColor;
		case 'json':
			return objectLike('{ "key": "value" }');
		case 'options':
			return oneOf(options as INodePropertyOptions[]);
		default:
			return text;
	}
}

// Whether a default in place of a missing value could do what nobody asked for.
function isDecisive({ type }: Field): boolean {
	return ['boolean', 'dateTime', 'options', 'resourceLocator'].includes(type);
}

function missing({ label, read }: Parameter, raw: unknown, isExpression: boolean): Failure {
	const value = isMap(raw) && '__rl' in raw ? raw.value : raw;
	if (isExpression) return emptyInItem(value, label);
	let advice = `Give a value in '${label}'.`;
	try {
		read('', label);
	} catch (error) {
		// It says what a dropdown offers, which a model does not see.
		if (error instanceof Failure) advice = error.advice;
	}
	return badValue(label, 'is empty', advice);
}

// Two parameters may fill the same map of the API (members to add, members to remove).
function merge(target: IDataObject, keys: string[], value: unknown, parameter: Parameter): void {
	const { label, givenTwice } = parameter;
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
		const advice = `Give "${twice}" in one place only.`;
		throw givenTwice?.(twice, label) ?? badValue(label, `gives "${twice}" a second time`, advice);
	}
	parent[last] = { ...before, ...value };
}
