import type { IDataObject } from 'n8n-workflow';
import type { RecordType } from './types';

/** How the user wants records to look. */
export interface OutputForm {
	/** At most ten fields, readable names beside the numeric codes, nulls filled. */
	simplify: boolean;
	/** In place of that: exactly these fields, in this order. */
	fields?: readonly string[];
	/** In the full form: every documented field, null where the API left it out. */
	includeEmptyFields: boolean;
	/** Fields that an update has set, with what was sent; the simplified form has them, too. */
	changed?: IDataObject;
}

/**
 * Brings a record into the form the user asked for. Fields that are not documented are kept in the
 * full form, so that what the API adds later is not lost.
 *
 * @param record as the API answered; a field left out means null (specification, "General response rules" 1)
 * @param type which kind of record it is
 */
export function toOutput(record: IDataObject, type: RecordType, form: OutputForm): IDataObject {
	if (form.fields) return cutDown(record, type, form.fields, form.changed);
	if (form.simplify && type.simplified) {
		if (!form.changed) return cutDown(record, type, type.simplified);
		// An answer may lack what was set, as that to an update of a user lacks the last name.
		const { fields, neverShown = [] } = type;
		const set = [...fields, ...neverShown].filter((field) => field in (form.changed ?? {}));
		return cutDown(record, type, [...type.simplified, ...set], form.changed);
	}
	return form.includeEmptyFields ? fillEmpty(record, type) : record;
}

/**
 * A record with every documented field, null where it is absent.
 *
 * @param record as the API sent it
 * @param type which kind of record it is
 */
export function fillEmpty(record: IDataObject, type: RecordType): IDataObject {
	const filled: IDataObject = {};
	for (const field of type.fields) filled[field] = record[field] ?? null;
	return { ...filled, ...record };
}

function cutDown(
	record: IDataObject,
	type: RecordType,
	fields: readonly string[],
	changed: IDataObject = {},
): IDataObject {
	const few: IDataObject = {};
	for (const field of fields) few[field] = record[field] ?? changed[field] ?? null;
	for (const [field, names] of Object.entries(type.codes ?? {})) {
		const code = String(record[field]);
		const name = `${field}_name`;
		// A text such as "toString" is a property of every object, but the name of no code.
		if (name in few) few[name] = Object.keys(names).includes(code) ? names[code] : null;
	}
	return few;
}
