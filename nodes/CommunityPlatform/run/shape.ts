import type { IDataObject } from 'n8n-workflow';
import { outputMaker, selectableFields, withIdentifier } from '../../shared/records/form';
import type { RecordType } from '../../shared/records/types';
import { trimmed } from '../../shared/text';
import { isAcknowledgement, isEmpty, isRecord, type HttpAnswer } from '../../shared/transport';
import { detailOf } from '../actions/operation';
import { labelOf } from '../actions/options';
import type { Input } from '../actions/field';
import type { Names } from '../people/listed';
import { simplifiedForModel } from '../tool/result';
import type { Item } from './item';

/** Returns the output of an item for a record, an acknowledgement or an empty answer (docs/operations.md). */
export function shapeAnswer({ body }: Pick<HttpAnswer, 'body'>, item: Item): IDataObject {
	// `call` accepts only a record or an acknowledgement.
	if (!isRecord(body) || isEmpty(body)) return acknowledgement({ success: true }, item);
	const { record } = item.run.prepared.operation;
	// `createdBefore` returns the same for a record that cannot be read.
	const isAcknowledged = !record || isAcknowledgement(body) || body.success === true;
	return isAcknowledged ? acknowledgement(body, item) : recordShaper(item)(body);
}

function acknowledgement(body: IDataObject, item: Item): IDataObject {
	const { run, input, identifiers, roleNames, community } = item;
	const { member, values } = run.prepared.operation.acknowledged ?? {};
	const msid = member?.(input);
	const username = community.people.seen(msid).record?.username;
	// Username first, because that is how people know a member. Assigned rather than spread, which V8 is slow at: a batch has thousands of them.
	const acted: IDataObject = Object.assign({}, username && { username }, identifiers);
	Object.assign(acted, msid !== undefined && { msid }, values?.(input));
	// The answer must not change what was acted on.
	return withRoleName(Object.assign({ ...acted, ...body }, acted), roleNames);
}

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
		changed: run.prepared.operation.effect === 'sets' ? input.body : undefined,
	});
	const absent = fields ? fieldsNotIn(type, fields, item) : [];
	return (record) => {
		const shaped = shape(record);
		const empty = absent.filter((field) => shaped[field] === null);
		if (empty.length > 0) explainEmpty(empty, item);
		if (!roleNames || !fields || fields.includes('role_id')) return withRoleName(shaped, roleNames);
		return { ...shaped, role_name: roleNames.get(trimmed(record.role_id)) ?? null };
	};
}

/** The fields that were chosen instead of the simplified or the full form, if any. */
function fieldsChosen({ values: { output, fields = [] } }: Input): string[] | undefined {
	const chosen = fields as string[];
	return output === 'selectedFields' || chosen.length > 0 ? chosen : undefined;
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
	run.notes.add('hint', 'output' in input.values ? text : `${text} ${advice}`);
}

const ROLE_FIELDS = ['role_id', 'previous_role_id'];

/** Adds the names of roles after their IDs, if they are known. Null if the API does not return the name. */
export function withRoleName(record: IDataObject, roleNames?: Names): IDataObject {
	if (!roleNames) return record;
	const named = Object.entries(record).flatMap(([field, value]) => {
		if (!ROLE_FIELDS.includes(field)) return [[field, value]];
		const name = roleNames.get(trimmed(value)) ?? null;
		return [
			[field, value],
			[field.replace(/id$/, 'name'), name],
		];
	});
	// Unlike an assignment, it keeps a field that is called __proto__.
	return Object.fromEntries(named) as IDataObject;
}

/** Returns the names of all roles if the item shows them. Throws a Failure if they are required, but cannot be listed. */
export async function roleNamesFor(item: Item): Promise<Names | undefined> {
	const { community, input, run } = item;
	const { includeRoleName } = input.values;
	const { hasRole, strategy } = run.prepared.operation;
	const isRoleUpdate = strategy?.name === 'updateRole';
	// A dry run shows the role only if it changes.
	const isShown = hasRole && (isRoleUpdate || !item.isDryRun);
	if (!isShown || includeRoleName === false) return undefined;
	if (includeRoleName === true) return (await community.all('role')).names;
	const isListed = isRoleUpdate && (comparesRoles(item) || community.hasListed('role'));
	return isListed || isReadByModel(item) ? await community.roleNames() : undefined;
}

// A number means nothing to a model, or to a person who compares the roles.
function isReadByModel({ run, input }: Item): boolean {
	return run.isTool && fieldsChosen(input)?.includes('role_id') !== false;
}

function comparesRoles({ isDryRun, input }: Item): boolean {
	const { skipUnchanged, onlyFrom } = input.values;
	return isDryRun || skipUnchanged === true || onlyFrom !== undefined;
}

/** Notes that a member gets another role, or the one that they had, or that it is not known. */
export function noteRole(item: Item, previousRoleId: unknown): void {
	const { notes, assignedRoles } = item.run;
	const { userId, roleId, onlyFrom } = item.input.values;
	const [member, role] = [userId, roleId].map(String);
	const assigned = assignedRoles.get(member);
	// With 'Only If Current Role Is', the items may undo one change after another.
	if (onlyFrom === undefined && assigned !== undefined && assigned !== role) {
		const { username } = item.community.people.seen(member).record ?? {};
		notes.add('severalRoles', String(username ?? member));
	}
	assignedRoles.set(member, role);
	if (previousRoleId === null || previousRoleId === undefined) return notes.add('unknownRole');
	if (String(previousRoleId) === role) return notes.add('sameRole');
	notes.add('newRole', `${String(previousRoleId)} ${role}`);
}
