import type { IDataObject } from 'n8n-workflow';
import type { HttpAnswer } from '../../shared/transport/answer';
import { isEmpty, isRecord, isAcknowledgement } from '../../shared/transport/answer';
import type { OutputForm } from '../../shared/records/output';
import { outputMaker } from '../../shared/records/output';
import { withIdentifier } from '../../shared/records/selected';
import type { RecordType } from '../../shared/records/types';
import type { ItemContext } from './itemContext';
import { withRoleName } from './roleNames';

/**
 * Makes the function that shapes the records of an item's output.
 *
 * @param type of the records; the operation's unless given
 * @returns takes a record as the API answered
 */
export function recordShaper(
	item: ItemContext,
	type = item.operation.record,
): (record: IDataObject) => IDataObject {
	const { operation, input, roleNames } = item;
	if (!type) return (record) => record;
	const shape = outputMaker(type, {
		...formOf(input.values, type),
		withContent: input.argumentFor !== undefined,
		changed: operation.request.method === 'PUT' ? input.body : undefined,
	});
	return roleNames ? (record) => withRoleName(shape(record), roleNames) : shape;
}

// A tool has "Output" and "Fields" instead of "Simplify".
function formOf(
	{ simplify, output, fields = [], includeEmptyFields }: Record<string, unknown>,
	type: RecordType,
): OutputForm {
	return {
		simplify: simplify === true || output === 'simplified',
		includeEmptyFields: includeEmptyFields === true,
		...(output === 'selectedFields' && { fields: withIdentifier(type, fields as string[]) }),
	};
}

/**
 * The output of an item whose request was answered with one record, an acknowledgement or nothing (docs/operations.md).
 */
export function shapeAnswer({ body }: Pick<HttpAnswer, 'body'>, item: ItemContext): IDataObject {
	// `call` has refused anything but a record or an acknowledgement.
	if (!isRecord(body) || isEmpty(body)) return acknowledgement({ success: true }, item);
	const { record } = item.operation;
	const isAcknowledged = !record || isAcknowledgement(body);
	return isAcknowledged ? acknowledgement(body, item) : recordShaper(item)(body);
}

function acknowledgement(
	body: IDataObject,
	{ operation, input, roleNames }: ItemContext,
): IDataObject {
	// Assigning into an object is many times faster in V8 than spreading two into a literal.
	const told = Object.assign({}, body, operation.identify?.(input), operation.valuesSet?.(input));
	return roleNames ? withRoleName(told, roleNames) : told;
}
