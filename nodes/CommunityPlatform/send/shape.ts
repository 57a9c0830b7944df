import type { IDataObject } from 'n8n-workflow';
import type { HttpAnswer } from '../../shared/exchange/answer';
import { isEmpty, isRecord } from '../../shared/exchange/answer';
import { toOutput } from '../../shared/records/output';
import type { Item } from './item';

/**
 * A record in the form that the item asks for.
 *
 * @param record as the API answered
 */
export function shapeRecord(record: IDataObject, { operation, input }: Item): IDataObject {
	if (!operation.record) return record;
	const { simplify, includeEmptyFields } = input.values;
	return toOutput(record, operation.record, {
		simplify: simplify === true,
		includeEmptyFields: includeEmptyFields === true,
	});
}

/**
 * What an item becomes when its request is answered with one record, an acknowledgement or nothing
 * (contract, "What an item looks like").
 */
export function shapeAnswer({ body }: HttpAnswer, item: Item): IDataObject {
	// Anything but a record or nothing has been refused by `call`, because its request expects a record.
	if (!isRecord(body) || isEmpty(body)) return { success: true };
	if (isAcknowledgement(body, item)) {
		// V8 copies into an object many times faster than it puts a literal together from two.
		return Object.assign({}, item.operation.identify?.(item.input), body);
	}
	return shapeRecord(body, item);
}

// A write may be answered with { message: 'OK' } where the record was expected: shaped like one, it would
// be nothing but nulls.
function isAcknowledgement(body: IDataObject, { operation: { record } }: Item): boolean {
	return !record || (typeof body.message === 'string' && !(record.idField in body));
}
