import { sharedFieldsOf } from '../actions/common';
import type { Field, FieldRules, Operation } from '../actions/operation';
import { keysOf, own, withOptions } from '../actions/operation';
import type { ItemParameters, ReadItem } from '../input/readInput';
import { inputReader } from '../input/readInput';

/** An operation, prepared once for all runs. */
export interface Task {
	operation: Operation;
	read(parameters: ItemParameters): ReadItem;
	bodyFields: BodyField[];
}

export interface BodyField extends FieldRules {
	field: string;
	label: string;
	parameter: Field;
}

/** The fields of the API that parameters can send in a body. */
export function bodyFieldsOf(fields: Field[]): BodyField[] {
	return withOptions(fields).flatMap((parameter) => {
		const { type, property } = parameter.routing?.send ?? {};
		if (type !== 'body' || property === undefined) return [];
		// Of `data.role_id`, the API speaks as role_id.
		const field = keysOf(property).findLast((key) => !/^\d+$/.test(key)) ?? property;
		return { ...parameter[own], field, label: parameter.displayName, parameter };
	});
}

/** Prepares an operation, once for all runs. */
export function taskOf(operation: Operation): Task {
	const fields = [...operation.fields, ...sharedFieldsOf(operation)];
	return { operation, read: inputReader(fields), bodyFields: bodyFieldsOf(fields) };
}
