import type { IDataObject } from 'n8n-workflow';
import { isEmpty, isRecord, isAcknowledgement, type HttpAnswer } from '../../shared/transport';
import { trimmed } from '../../shared/text';
import { outputMaker, selectableFields, withIdentifier } from '../../shared/records/output';
import type { RecordType } from '../../shared/records/types';
import { detailOf } from '../actions/operation';
import { labelOf } from '../actions/options';
import { simplifiedForModel } from '../tool/output';
import type { Item } from './item';
import type { Names } from './directory';
import type { Input } from '../input/field';

/** Makes the function that brings records of the API into the form of the item's output. */
export function recordShaper(
	item: Item,
	type = item.run.prepared.operation.record,
): (record: IDataObject) => IDataObject {
	const { run, input, roleNames } = item;
	if (!type) return (record) => record;
	// A tool has "Output" and "Fields" instead of "Simplify".
	const { simplify, output, includeEmptyFields } = input.values;
	const fields = fieldsChosen(input);
	const shape = outputMaker(type, {
		simplified:
			output === 'simplified' ? simplifiedForModel(type) : simplify === true && type.simplified,
		includeEmptyFields: includeEmptyFields === true,
		...(fields && { fields: withIdentifier(type, fields) }),
		changed: run.prepared.operation.request.method === 'PUT' ? input.body : undefined,
	});
	const absent = fields ? fieldsNotIn(type, fields, item) : [];
	return (record) => {
		const shaped = shape(record);
		const empty = absent.filter((field) => shaped[field] === null);
		if (empty.length > 0) explainEmpty(empty, item);
		if (!roleNames || !fields || fields.includes('role_id')) return withRoleName(shaped, roleNames);
		return { ...shaped, role_name: nameOfRole(record.role_id, roleNames) };
	};
}

// Chosen for another operation, or for a list whose records are read one by one.
function fieldsNotIn(type: RecordType, chosen: string[], { run }: Item): string[] {
	const { record = type } = run.prepared.operation;
	const shown = [type, record].flatMap(selectableFields);
	return chosen.filter((field) => !shown.includes(field));
}

function explainEmpty(fields: string[], { run, input }: Item): void {
	const { operation } = run.prepared;
	const detail = detailOf(operation);
	const details = detail ? selectableFields(detail) : [];
	const what = operation.strategy?.name === 'listing' ? 'list' : 'record';
	const labels = fields.map((field) => `'${labelOf(field)}'`).join(' or ');
	const they = fields.length > 1 ? 'these fields are' : 'this field is';
	const advice = fields.some((field) => details.includes(field))
		? "To read each member, turn on 'Include Details' under 'Options'."
		: "Choose other fields in 'Fields'.";
	const text = `This ${what} does not contain ${labels}, so ${they} empty.`;
	// A model cannot change the options.
	run.summary.ofOperation.add('output' in input.values ? text : `${text} ${advice}`);
}

/** The fields that were chosen instead of the simplified or the full form, if any. */
export function fieldsChosen({ values: { output, fields = [] } }: Input): string[] | undefined {
	const chosen = fields as string[];
	return output === 'selectedFields' || chosen.length > 0 ? chosen : undefined;
}

/** Returns the output of an item for a record, an acknowledgement or an empty answer (docs/operations.md). */
export function shapeAnswer({ body }: Pick<HttpAnswer, 'body'>, item: Item): IDataObject {
	// `call` accepts only a record or an acknowledgement.
	if (!isRecord(body) || isEmpty(body)) return acknowledgement({ success: true }, item);
	const { record } = item.run.prepared.operation;
	// `createdBefore` returns the same for a record that cannot be read.
	const isAcknowledged = !record || isAcknowledgement(body) || body.success === true;
	return isAcknowledged ? acknowledgement(body, item) : recordShaper(item)(body);
}

function acknowledgement(body: IDataObject, item: Item) {
	const { run, input, identifiers, roleNames, directory } = item;
	const { member, values } = run.prepared.operation.acknowledged ?? {};
	const msid = member?.(input);
	const username = directory.members.seen(msid)?.username;
	// First what people recognise. Assigned rather than spread, which V8 is slow at: a batch has thousands of them.
	const acted: IDataObject = Object.assign({}, username && { username }, identifiers);
	Object.assign(acted, msid !== undefined && { msid }, values?.(input));
	// The answer must not change what was acted on.
	return withRoleName({ ...acted, ...body, ...acted }, roleNames);
}

function nameOfRole(id: unknown, names: Names): string | null {
	return names.get(trimmed(id)) ?? null;
}

const ROLE_FIELDS = ['role_id', 'previous_role_id'];

/** Adds the names of roles after their IDs, if they are known. Null if the API does not return the name. */
export function withRoleName(record: IDataObject, roleNames?: Names): IDataObject {
	if (!roleNames) return record;
	const named = Object.entries(record).flatMap(([field, value]) => {
		const name = [field.replace(/id$/, 'name'), nameOfRole(value, roleNames)];
		return ROLE_FIELDS.includes(field) ? [[field, value], name] : [[field, value]];
	});
	// Unlike an assignment, it keeps a field that is called __proto__.
	return Object.fromEntries(named) as IDataObject;
}
