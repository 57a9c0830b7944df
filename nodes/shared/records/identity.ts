import type { IDataObject } from 'n8n-workflow';
import type { RecordType } from './types';

/**
 * Whether a record has an identifier of its type; otherwise it is no such record.
 *
 * @param record as the API sent it
 */
export function isIdentified(record: IDataObject, { idField, compositeId }: RecordType): boolean {
	return (
		isIdentifier(record[idField]) ||
		(compositeId !== undefined && isIdentifier(record[compositeId.field]))
	);
}

/**
 * Whether an identifier names a record. All identifiers that the record shows have to agree; one is enough, because
 * the API leaves out fields that the caller may not view.
 *
 * @param record as the API sent it; identifiers are compared as text, because some servers send numbers so
 * @param id for a user, the msid (docs/api/README.md, "User") or the user_id alone
 */
export function isNamedBy(record: IDataObject, type: RecordType, id: string): boolean {
	if (!isIdentified(record, type)) return false;
	const { idField, compositeId } = type;
	if (!compositeId) return agrees(record[idField], id);
	const [number, code] = split(id);
	const [ownNumber, ownCode] = split(record[compositeId.field]);
	return [
		[record[idField], number],
		[ownNumber, number],
		[record[compositeId.codeField], code],
		[ownCode, code],
	].every(([own, asked]) => !isIdentifier(own) || asked === undefined || agrees(own, asked));
}

/** The identifier of a record for a text, e.g. `tag_id 99`. */
export function identityOf(record: IDataObject, { idField, compositeId }: RecordType): string {
	const field = [compositeId?.field, idField].find((each) => each && isIdentifier(record[each]));
	return field === undefined ? 'no identifier' : `${field} ${String(record[field])}`;
}

// What is before and after the first dot.
function split(id: unknown): Array<string | undefined> {
	if (!isIdentifier(id)) return [];
	const [, number, code] = /^([^.]*)(?:\.(.*))?$/s.exec(String(id)) ?? [];
	return [number, code];
}

function agrees(own: unknown, asked: unknown): boolean {
	// JSON has rounded the record's number; the one that was asked for is text.
	const isRounded = typeof own === 'number' && !Number.isSafeInteger(own) && Number.isInteger(own);
	return isRounded ? own === Number(asked) : String(own) === String(asked);
}

/** Whether a value can be an identifier. */
export function isIdentifier(value: unknown): value is string | number {
	return typeof value === 'number' || (typeof value === 'string' && value !== '');
}
