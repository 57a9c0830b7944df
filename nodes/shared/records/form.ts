import type { IDataObject } from 'n8n-workflow';
import { Once } from '../async/once';
import type { RecordType } from './types';

/** Every field that a record of this form can have: documented ones, and the names of codes. */
export function selectableFields({
	fields,
	returned = fields,
	simplified = [],
}: RecordType): string[] {
	return [...new Set([...returned, ...simplified])];
}

/** The chosen fields after the ID, as n8n asks (UX guidelines, "AI tool nodes: 'Output' parameter"). */
export function withIdentifier({ idField, compositeId }: RecordType, chosen: string[]): string[] {
	return [...new Set([compositeId?.field ?? idField, ...chosen])];
}

export interface OutputForm {
	/** The fields of the simplified form, if it is wanted: readable names beside the numeric codes, nulls filled. */
	simplified?: readonly string[] | false;
	/** Instead of `simplified`: exactly these fields, in this order. */
	fields?: readonly string[];
	/** In the full form: fill documented fields that the API left out with null. */
	includeEmptyFields: boolean;
	/** Fields that an update has set, with their values. The simplified form also has them. */
	changed?: IDataObject;
}

/** Makes a function that brings records into a form. An absent field is null ("General response rules" of the API). */
export function outputMaker(
	type: RecordType,
	form: OutputForm,
): (record: IDataObject) => IDataObject {
	const { changed = {} } = form;
	if (form.fields) return pickFields(type, form.fields, changed);
	if (form.simplified) {
		// An answer may lack what was set. After an update of a member, it has no last name.
		const set = [...type.fields, ...(type.neverReturned ?? [])].filter((field) => field in changed);
		return pickFields(type, [...form.simplified, ...set], changed);
	}
	return form.includeEmptyFields ? (record) => fillEmpty(record, type) : (record) => record;
}

/** A record with every documented field, null if it is absent. */
export function fillEmpty(record: IDataObject, type: RecordType): IDataObject {
	const filled: IDataObject = {};
	for (const field of type.fields) filled[field] = record[field] ?? null;
	return { ...filled, ...record };
}

// Maps, because "toString" is a property of every object. Made once, because a batch has thousands of records.
const namesOfCodes = new Once<Array<{ field: string; names: Map<string, string> }>>();

function codedFields(type: RecordType) {
	return namesOfCodes.get(type, () =>
		Object.entries(type.codes ?? {}).map(([field, names]) => ({
			field,
			names: new Map(Object.entries(names)),
		})),
	);
}

function pickFields(type: RecordType, fields: readonly string[], changed: IDataObject) {
	const coded = codedFields(type);
	return (record: IDataObject): IDataObject => {
		const few: IDataObject = {};
		for (const field of fields) few[field] = record[field] ?? changed[field] ?? null;
		for (const { field, names } of coded) {
			const code = record[field];
			// A list of roles is announced for permission_for.
			const name = typeof code === 'object' ? undefined : names.get(String(code));
			// For the owner of the API key, the API returns the status as text (docs/api/README.md, "User").
			if (name && field in few) few[field] = Number(code);
			if (`${field}_name` in few) few[`${field}_name`] = name ?? null;
		}
		return few;
	};
}
