import type { IDataObject } from 'n8n-workflow';
import { LINE_BREAK, changeInWords, normalized, trimmed } from '../../shared/text';
import type { Parameter } from '../input/parameter';
import { isBlank, isMap } from '../../shared/values';
import { previousOf } from '../tool/update';
import type { Item } from './item';
import { rules, type Field, type Input } from '../input/field';

/** What a request would change. */
export interface Plan {
	action: 'create' | 'update' | 'none';
	identifiers: IDataObject;
	/** By field of the API, the current value (null if there is none or the API does not return it) and the new one. */
	changes: Record<string, { from: unknown; to: unknown }>;
	/** Labels of fields that would be set and that the API does not return. */
	notReturned: string[];
}

/** Returns the plan of a create, or of a change to a record that the API does not return. */
export function planOfUnread({ request, input, identifiers }: Item): Plan {
	const sent = Object.entries(request.body ?? {});
	const changes = Object.fromEntries(sent.map(([field, to]) => [field, { from: null, to }]));
	const isCreate = request.method === 'POST';
	const notReturned = isCreate ? [] : sent.map(([field]) => input.sendLabels[field] ?? field);
	return { action: isCreate ? 'create' : 'update', identifiers, changes, notReturned };
}

/** Returns the plan of an update with this body. Only `fields` are compared. */
export function planOfUpdate(
	record: IDataObject,
	body: IDataObject,
	fields: Parameter[],
	{ input, identifiers }: Item,
): Plan {
	const changes: Plan['changes'] = {};
	const notReturned: string[] = [];
	for (const each of fields) {
		const { field, label, sentAs, isNeverReturned } = each;
		const from = currentValue(record, each, input.values);
		// The API documents defaults for colors.
		const to = body[sentAs] ?? (field.type === 'color' ? field.default : null);
		const isHidden = isNeverReturned && from === null;
		if (!isHidden && sameValue(field, from, to)) continue;
		changes[sentAs] = { from, to };
		if (isHidden && sentAs in body) notReturned.push(label);
	}
	const action = Object.keys(changes).length > 0 ? 'update' : 'none';
	return { action, identifiers: { ...identifiers, ...memberIn(record) }, changes, notReturned };
}

/** The fields of a record by which people recognise a member. */
export function memberIn({ username, first_name }: IDataObject): IDataObject {
	return { ...(username && { username }), ...(first_name && { first_name }) };
}

/** The output of a dry run for an item: the record, and what would change. */
export function preview({ run: { summary }, roleNames }: Item, plan: Plan): IDataObject {
	const { action, identifiers, notReturned } = plan;
	const changes = { ...plan.changes };
	if (roleNames && changes.role_id) {
		const { from, to } = changes.role_id;
		const nameOf = (id: unknown) => roleNames.get(String(id)) ?? null;
		changes.role_name = { from: nameOf(from), to: nameOf(to) };
	}
	summary.planned[action]++;
	for (const label of notReturned) summary.notReturned.add(label);
	const change = inWords(changes, notReturned.length > 0 ? 'not shown' : 'none');
	return { ...identifiers, action, change, dry_run: true, changes: changes as IDataObject };
}

// The text for a table: the old and the new value of one change, or the names of the fields.
function inWords({ role_id, role_name, ...others }: Plan['changes'], unknown: string): string {
	const role = role_name?.to ? role_name : role_id;
	const all: Plan['changes'] = { ...(role && { role }), ...others };
	const fields = Object.keys(all);
	if (fields.length !== 1) return fields.join(', ') || 'nothing';
	const [from, to] = [all[fields[0]].from, all[fields[0]].to].map((value, at) => {
		if (typeof value === 'object' && value !== null) return undefined;
		return trimmed(value ?? '') || (at === 0 ? unknown : 'none');
	});
	return changeInWords(fields[0], from, to);
}

/** The item of a change that "Skip Unchanged" did not send, unless an earlier attempt made it. */
export function markSkipped(item: Item, record: IDataObject): IDataObject {
	// Not if it was created a moment before.
	if (!item.hasChanged) item.run.summary.unchanged++;
	return { ...record, changed: item.wasChangedBefore };
}

/** The item after its change was sent. With "Skip Unchanged", it has `changed`, for a model also the previous values. */
export function markSent(
	{ skipsUnchanged, run }: Item,
	record: IDataObject,
	plan?: Plan,
	fields: Parameter[] = [],
): IDataObject {
	const marked = skipsUnchanged ? { ...record, changed: true } : record;
	if (!plan || !run.givesPrevious) return marked;
	return { ...marked, previous: previousOf(plan.changes, fields) };
}

// The value that would keep the field, or its current value if it cannot be kept.
function currentValue(
	record: IDataObject,
	{ sentAs, valueToPreserve }: Parameter,
	values: Input['values'],
): unknown {
	const shown = record[sentAs] ?? null;
	try {
		return (valueToPreserve ? valueToPreserve(record, values) : shown) ?? null;
	} catch {
		return shown;
	}
}

/**
 * Whether two values of a parameter mean the same to the API, so replacing one with the other changes nothing
 * (docs/decisions.md, A19). Texts may differ in line breaks and in the white space around them, colors in their
 * notation, codes in their type. Lists are compared as sets, maps key by key.
 */
export function sameValue(field: Field, a: unknown, b: unknown): boolean {
	if (isBlank(a) || isBlank(b)) return isBlank(a) && isBlank(b);
	const isSame = field[rules]?.isSame;
	if (isSame) return isSame(a, b);
	const canonical = field.type === 'color' ? canonicalColor : canonicalValue;
	return canonical(a) === canonical(b);
}

// #F00, #ff0000 and #ff0000ff are one color.
function canonicalColor(value: unknown): string {
	const color = trimmed(value).toLowerCase();
	const long = /^#[\da-f]{3,4}$/.test(color) ? color.replace(/[\da-f]/g, '$&$&') : color;
	return long.replace(/^(#[\da-f]{6})ff$/, '$1');
}

// Numbers as text, because the API returns an ID in either form.
function canonicalValue(value: unknown): string {
	if (Array.isArray(value)) return `[${[...new Set(value.map(canonicalValue))].sort().join()}]`;
	if (!isMap(value))
		return JSON.stringify(normalized(trimmed(String(value)).replace(LINE_BREAK, '\n')));
	const entries = Object.entries(value).filter(([, each]) => !isBlank(each));
	return `{${entries
		.map(([key, each]) => `${JSON.stringify(key)}:${canonicalValue(each)}`)
		.sort()
		.join()}}`;
}
