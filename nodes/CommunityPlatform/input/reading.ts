import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Failure, combined, quoted } from '../../shared/failure';
import { badValue, isMap } from '../../shared/values';
import { asModelMeans, isAsked, refuseWordForNothing } from '../tool/arguments';
import type { Field, Input, Parameter } from '../actions/field';
import {
	emptyInItem,
	enteredAs,
	hasExpression,
	isEmptyCell,
	type BlankOutcome,
	type Parts,
	type Place,
} from './entered';
import { LookUp } from './identifiers';

/** The parameters of one item in n8n. */
export interface Source {
	/** A parameter's value, or the fallback if it is not set. Throws what its expression throws. */
	get(name: string, fallback: unknown): unknown;
	/** The parameters as they are saved, with their expressions. */
	saved: INodeParameters;
	/** Whether a model calls the node. */
	isTool: boolean;
	/** The time zone of the workflow. */
	timezone?: string;
}

/** The input of one item as it was read, and the values of its parameters that only the API knows. */
export interface Draft {
	input: Input;
	lookUps: Array<{ parameter: Parameter; lookUp: LookUp }>;
}

// The collections of a record's fields. The others contain filters and options.
const PLACES: Record<string, Place> = {
	updateFields: 'updateField',
	additionalFields: 'additionalField',
};

/** Makes the function that reads the parameters of one item. It throws a Failure that names all unusable ones. */
export function readerOf(parameters: Parameter[]): (source: Source) => Draft {
	const all = parameters.flatMap((each) => [each, ...each.options]);
	const labels = Object.fromEntries(all.map(({ field, label }) => [field.name, label]));
	// The options first, because one of them decides what an empty cell means.
	const isOptions = ({ field }: Parameter) => field.name === 'options';
	const ordered = [...parameters].sort((a, b) => Number(isOptions(b)) - Number(isOptions(a)));
	return (source) => new Reader(source, labels).read(ordered);
}

/** Reads the parameters of one item. */
class Reader {
	private readonly input: Input;
	private readonly lookUps: Draft['lookUps'] = [];
	private readonly failures = new Map<string, Failure>();

	constructor(
		private readonly source: Source,
		labels: Record<string, string>,
	) {
		this.input = {
			values: {},
			body: {},
			qs: {},
			labels,
			sendLabels: {},
			identifiers: [],
			withoutValue: [],
			emptyCells: [],
		};
	}

	read(parameters: Parameter[]): Draft {
		for (const each of parameters) this.noteFailure(each, () => this.readParameter(each));
		if (this.failures.size > 0) throw combined([...this.failures.values()]);
		return { input: this.input, lookUps: this.lookUps };
	}

	// All unusable parameters are named together.
	private noteFailure({ field }: Parameter, read: () => void): void {
		try {
			read();
		} catch (error) {
			this.failures.set(field.name, failureOrThrow(error));
		}
	}

	private readParameter(parameter: Parameter): void {
		const { field, options, label, convert } = parameter;
		const saved: unknown = this.source.saved[field.name];
		if (field.type !== 'collection') {
			if (this.isDisplayed(field))
				this.readField(parameter, this.get(field.name), 'parameter', saved);
			return;
		}
		const values = convert(this.get(field.name, {}), label) as IDataObject;
		// Only if set as a whole by an expression or as JSON, because the editor keeps options of other operations.
		if (typeof saved === 'string') refuseUnknown(values, parameter);
		const place = PLACES[field.name] ?? 'option';
		for (const option of options) {
			const { name } = option.field;
			if (!(name in values)) continue;
			const own = isMap(saved) ? saved[name] : saved;
			this.noteFailure(option, () => this.readField(option, values[name], place, own));
		}
	}

	private get(name: string, fallback: unknown = null): unknown {
		const { source } = this;
		const value = source.get(name, fallback);
		return source.isTool ? asModelMeans(value, fallback, source.saved[name]) : value;
	}

	// If the parameter that decides it cannot be used, it is not known whether a field is shown.
	private isDisplayed({ displayOptions }: Field): boolean {
		if (!displayOptions) return true;
		const { show, hide } = displayOptions;
		const { values } = this.input;
		const has = ([name, listed]: [string, unknown]) => (listed as unknown[]).includes(values[name]);
		const isKnown = (name: string) => !this.failures.has(name);
		return (
			(this.failures.size === 0 || Object.keys({ ...show, ...hide }).every(isKnown)) &&
			Object.entries(show ?? {}).every((each) => !(each[0] in values) || has(each)) &&
			!Object.entries(hide ?? {}).some(has)
		);
	}

	private readField(parameter: Parameter, raw: unknown, place: Place, saved: unknown): void {
		const { field, namesMembers } = parameter;
		const isOfModel = this.source.isTool && isAsked(saved);
		// A model can send another value, but cannot change an expression.
		const isExpression = hasExpression(saved) && !isOfModel;
		if (namesMembers && this.leavesOut && isExpression && isEmptyCell(raw)) {
			this.input.emptyCells.push(field.name);
			return;
		}
		const entered = enteredAs({ field, place, raw, isExpression, isOfModel });
		if (entered.is !== 'value') return this.handleBlank(parameter, entered.is, raw);
		if (isOfModel) refuseWordForNothing(parameter, entered.value, place);
		this.convert(parameter, entered);
	}

	private handleBlank(parameter: Parameter, outcome: BlankOutcome, raw: unknown): void {
		const { field, label } = parameter;
		switch (outcome) {
			case 'cleared':
				return put(this.input, parameter, field.type === 'json' ? {} : '');
			case 'ignoredWithHint':
				this.input.withoutValue.push(label);
				return;
			case 'required':
				throw missing(parameter);
			case 'invalid':
				throw emptyInItem(raw, label);
			case 'ignored':
		}
	}

	private convert(parameter: Parameter, { value, mode, selectedLabel }: Parts): void {
		const { leavesOut } = this;
		const of = { timezone: this.source.timezone, leavesOut, before: this.input.values };
		const converted = parameter.convert(value, parameter.label, mode, of);
		if (converted instanceof LookUp) this.lookUps.push({ parameter, lookUp: converted });
		else put(this.input, parameter, converted, selectedLabel);
	}

	// Known for all other parameters, because the options are read first.
	private get leavesOut(): boolean {
		return this.input.values.ifNotFound === 'leaveOut';
	}
}

function refuseUnknown(values: IDataObject, { label, options }: Parameter): void {
	const names = options.map(({ field }) => field.name);
	const unknown = Object.keys(values).find((key) => !names.includes(key));
	if (unknown === undefined) return;
	const advice = `Use only these names: ${names.join(', ')}.`;
	throw badValue(label, `has no field ${quoted(unknown)}`, advice);
}

// What n8n's expressions throw is passed on unchanged.
function failureOrThrow(error: unknown): Failure {
	if (error instanceof Failure) return error;
	throw error;
}

function missing({ label, convert }: Parameter): Failure {
	let advice = `Enter a value in '${label}'.`;
	try {
		convert('', label);
	} catch (error) {
		// Its advice lists the options of a dropdown, which a model does not see.
		if (error instanceof Failure) advice = error.advice;
	}
	return badValue(label, 'is empty', advice);
}

/** Adds the value of a parameter to the input, and to what is sent. `selectedLabel`: what the editor showed for it. */
export function put(
	input: Input,
	parameter: Parameter,
	value: unknown,
	selectedLabel?: string,
): void {
	const { field, label, isIdentifier, sentIn, sentAs } = parameter;
	input.values[field.name] = value;
	if (isIdentifier) input.identifiers.push({ label, value: String(value), selectedLabel });
	if (!sentIn) return;
	// If two parameters send the same field, the label of the one with a value wins.
	if (!isMap(value) || Object.keys(value).length > 0) input.sendLabels[sentAs] = label;
	merge(input[sentIn], parameter, value);
}

// Two parameters may fill the same map of the API (members to add, members to remove).
function merge(target: IDataObject, { keys, label, ifRepeated }: Parameter, value: unknown): void {
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
	const duplicate = Object.keys(value).find((key) => key in before);
	if (duplicate !== undefined) {
		const advice = `Enter ${quoted(duplicate)} in one place only.`;
		throw ifRepeated?.(duplicate, label) ?? badValue(label, `repeats ${quoted(duplicate)}`, advice);
	}
	parent[last] = { ...before, ...value };
}
