import { sharedFieldsOf } from '../actions/common';
import type { Operation } from '../actions/operation';
import { parametersOf, type Parameter } from '../input/parameter';
import { inputReader, type ItemParameters, type ReadItem } from '../input/readInput';

/** An operation, prepared once for all runs. */
export interface PreparedOperation {
	operation: Operation;
	read(parameters: ItemParameters): ReadItem;
	/** The parameters that are sent in the body. */
	bodyFields: Parameter[];
	/** What the specification says of their values, by field of the API. */
	formats: Record<string, string>;
	/** The parameter that names the record in the path, if the path names one. */
	target?: Parameter;
}

/** Prepares an operation once for all runs. */
export function prepareOperation(operation: Operation): PreparedOperation {
	const parameters = parametersOf([...operation.fields, ...sharedFieldsOf(operation)]);
	const all = parameters.flatMap((each) => [each, ...each.options]);
	const bodyFields = all.filter(({ sentIn }) => sentIn === 'body');
	const target = parameters.find(({ idField, sentIn }) => idField && !sentIn);
	const formats = Object.fromEntries(
		bodyFields.flatMap(({ sentAs, format }) => (format ? [[sentAs, format]] : [])),
	);
	return { operation, read: inputReader(parameters), bodyFields, formats, target };
}
