import type { IDataObject } from 'n8n-workflow';
import type { RecordType } from './types';

/**
 * Whether a record carries an identifier of its type; anything else that has fields is no such record.
 *
 * @param record as the API sent it
 */
export function isIdentified(record: IDataObject, type: RecordType): boolean {
	return identifiersOf(record, type).length > 0;
}

/**
 * Whether a record is the one that an identifier names.
 *
 * @param record as the API sent it; identifiers are compared as text, because some servers send numbers so
 * @param id for a user, the msid ("user_id, a dot, then sid"; api/openapi.yaml, `User`) or the user_id alone.
 * A field that the caller may not view is left out, so that one of the two is enough
 */
export function isNamedBy(record: IDataObject, type: RecordType, id: string): boolean {
	const [own] = identifiersOf(record, type);
	if (own === undefined) return false;
	// JSON has rounded the number of the record; the one that was asked for came as text.
	if (!Number.isSafeInteger(Number(own)) && /^\d+$/.test(own)) return Number(own) === Number(id);
	const isWhole = own.includes('.') === id.includes('.');
	return isWhole ? own === id : own.split('.', 1)[0] === id.split('.', 1)[0];
}

/** What a user reads of which record this is, e.g. `tag_id 99`. */
export function identityOf(record: IDataObject, type: RecordType): string {
	const field = [type.compositeIdField, type.idField].find((each) => each && isId(record[each]));
	return field === undefined ? 'no identifier' : `${field} ${String(record[field])}`;
}

function identifiersOf(record: IDataObject, { compositeIdField, idField }: RecordType): string[] {
	const values = compositeIdField === undefined ? [] : [record[compositeIdField]];
	return [...values, record[idField]].filter(isId).map(String);
}

function isId(value: unknown): value is string | number {
	return typeof value === 'number' || (typeof value === 'string' && value !== '');
}
