import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Failure, combined, quoted } from '../../shared/failure';
import type { Field, Input } from './field';
import {
	emptyInItem,
	enteredAs,
	hasExpression,
	isEmptyCell,
	type Parts,
	type Place,
} from './entered';
import { LookUp, type Reference } from './identifiers';
import type { Parameter } from './parameter';
import { badValue, isMap } from '../../shared/values';

/** Access to the parameters of one item in n8n. */
export interface ItemParameters {
	/** A parameter's value, or the fallback if it is not set. Throws what its expression throws. */
	get(name: string, fallback: unknown): unknown;
	/** The parameters as they are saved, with their expressions. */
	saved: INodeParameters;
	/** Present if a model calls the node as a tool. */
	model?: {
		/** Whether it is asked for a parameter as it is saved, or for a part of it. */
		isAsked(saved: unknown): boolean;
		/** Refuses a word that a model writes for a value that it does not want to set. */
		refuseWordForNothing(parameter: Parameter, value: unknown, place: Place): void;
	};
	/** The time zone of the workflow. */
	timezone?: string;
}

/** The parameters of one item as they were read. */
export interface ReadItem {
	/** Complete once the look-ups are done. */
	input: Input;
	/** The records to look up. */
	references: Reference[];
	/** Each adds a value that only the API knows. */
	lookUps: Array<(find: (reference: Reference) => Promise<string>) => Promise<void>>;
}

// The collections of a record's fields. The others contain filters and options.
const PLACES: Record<string, Place> = {
	updateFields: 'updateField',
	additionalFields: 'additionalField',
};

/** Makes the function that reads the parameters of one item. It throws a Failure that names all unusable ones. */
export function inputReader(parameters: Parameter[]): (item: ItemParameters) => ReadItem {
	const all = parameters.flatMap((each) => [each, ...each.options]);
	const labels = Object.fromEntries(all.map(({ field, label }) => [field.name, label]));
	// The options first, because one of them decides what an empty cell means.
	const isOptions = ({ field }: Parameter) => field.name === 'options';
	const ordered = [...parameters].sort((a, b) => Number(isOptions(b)) - Number(isOptions(a)));
	return (item) => new ParameterReader(item, labels).of(ordered);
}

/** Reads the parameters of one item. */
class ParameterReader {
	private readonly input: Input;
	private readonly references: Reference[] = [];
	private readonly lookUps: ReadItem['lookUps'] = [];
	private readonly failures = new Map<string, Failure>();

	constructor(
		private readonly item: ItemParameters,
		labels: Record<string, string>,
	) {
		this.input = {
			values: {},
			labels,
			body: {},
			qs: {},
			sendLabels: {},
			identifiers: [],
			gaveNothing: [],
			emptyCells: [],
		};
	}

	/** @throws Failure that names all parameters that cannot be used, so that they can be corrected together */
	of(parameters: Parameter[]): ReadItem {
		for (const each of parameters) {
			this.attempt(each, () =>
				each.field.type === 'collection' ? this.readCollection(each) : this.readParameter(each),
			);
		}
		const failures = [...this.failures.values()];
		if (failures.length > 0) throw combined(failures);
		const { input, references, lookUps } = this;
		return { input, references, lookUps };
	}

	private attempt({ field }: Parameter, read: () => void): void {
		try {
			read();
		} catch (error) {
			this.failures.set(field.name, failureOrThrow(error));
		}
	}

	private readParameter(parameter: Parameter): void {
		const { name } = parameter.field;
		if (!this.isDisplayed(parameter.field)) return;
		this.readField(parameter, this.item.get(name, null), 'parameter', this.item.saved[name]);
	}

	// Conditions on resource and operation hold already. If the parameter that decides it cannot be used, it is not known
	// whether a field is shown.
	private isDisplayed({ displayOptions: { show, hide } = {} }: Field): boolean {
		const { values } = this.input;
		const has = ([name, listed]: [string, unknown]) => (listed as unknown[]).includes(values[name]);
		return (
			Object.keys({ ...show, ...hide }).every((name) => !this.failures.has(name)) &&
			Object.entries(show ?? {}).every((each) => !(each[0] in values) || has(each)) &&
			!Object.entries(hide ?? {}).some(has)
		);
	}

	private readCollection({ field, label, convert, options }: Parameter): void {
		const values = convert(this.item.get(field.name, {}), label) as IDataObject;
		const names = options.map((option) => option.field.name);
		const unknown = Object.keys(values).find((key) => !names.includes(key));
		// Only if set as a whole by an expression or as JSON, because the editor keeps options of other operations.
		if (unknown !== undefined && typeof this.item.saved[field.name] === 'string') {
			const advice = `Use only these names: ${names.join(', ')}.`;
			throw badValue(label, `has no field ${quoted(unknown)}`, advice);
		}
		const place = PLACES[field.name] ?? 'option';
		const saved: unknown = this.item.saved[field.name];
		for (const option of options) {
			const { name } = option.field;
			if (!(name in values)) continue;
			const own = isMap(saved) ? saved[name] : saved;
			this.attempt(option, () => this.readField(option, values[name], place, own));
		}
	}

	private readField(parameter: Parameter, raw: unknown, place: Place, saved: unknown): void {
		const { field, label, defaultTo } = parameter;
		const { model } = this.item;
		const isOfModel = model?.isAsked(saved) === true;
		// A model can send another value, but cannot change an expression.
		const isExpression = hasExpression(saved) && !isOfModel;
		const what = enteredAs({ field, place, raw, isExpression, isOfModel });
		const isLeftOut = this.input.values.ifNotFound === 'leaveOut' && parameter.namesMembers;
		if (isLeftOut && isExpression && isEmptyCell(raw)) {
			this.input.emptyCells.push(field.name);
			return;
		}
		switch (what.is) {
			case 'value':
				if (isOfModel) model?.refuseWordForNothing(parameter, what.value, place);
				return this.convert(parameter, what);
			case 'missing':
				if (defaultTo === undefined) throw missing(parameter);
				return this.convert(parameter, { value: defaultTo });
			case 'cleared':
				return this.put(parameter, clearedOf(parameter));
			case 'noted':
				this.input.gaveNothing.push(label);
				return;
			case 'refused':
				throw emptyInItem(raw, label);
			case 'skipped':
		}
	}

	private convert(parameter: Parameter, { value, mode, picked }: Parts): void {
		const { timezone } = this.item;
		const { values: before } = this.input;
		const leavesOut = before.ifNotFound === 'leaveOut';
		const of = { timezone, leavesOut, before };
		const converted = parameter.convert(value, parameter.label, mode, of);
		if (converted instanceof LookUp) {
			this.references.push(...converted.references);
			this.lookUps.push(async (find) => this.put(parameter, await converted.value(find)));
		} else {
			this.put(parameter, converted, picked);
		}
	}

	private put(parameter: Parameter, value: unknown, picked?: string): void {
		const { input } = this;
		const { field, label, isIdentifier, sentIn, keys, sentAs } = parameter;
		input.values[field.name] = value;
		if (isIdentifier) input.identifiers.push({ label, value: String(value), picked });
		if (!sentIn) return;
		// If two parameters send the same field, the label of the one with a value wins.
		if (!isMap(value) || Object.keys(value).length > 0) input.sendLabels[sentAs] = label;
		merge(input[sentIn], keys, value, parameter);
	}
}

// What n8n's expressions throw is passed on unchanged.
function failureOrThrow(error: unknown): Failure {
	if (error instanceof Failure) return error;
	throw error;
}

function clearedOf({ field }: Parameter): unknown {
	return field.type === 'json' ? {} : '';
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
		const advice = `Enter ${quoted(twice)} in one place only.`;
		throw givenTwice?.(twice, label) ?? badValue(label, `repeats ${quoted(twice)}`, advice);
	}
	parent[last] = { ...before, ...value };
}
