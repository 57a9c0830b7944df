import type { IDataObject } from 'n8n-workflow';
import { LINE_BREAK, changeInWords, normalized, trimmed } from '../../shared/text';
import type { HttpAnswer } from '../../shared/transport';
import { isBlank, isMap } from '../../shared/values';
import { rules, type Field, type Parameter } from '../actions/field';
import type { Item } from './item';
import { shapeAnswer } from './shape';

/** What a request would change. A dry run shows it, and "Skip Unchanged" sends nothing if it is nothing. */
export interface Plan {
	action: 'create' | 'update' | 'none';
	/** The IDs of the record. */
	identifiers: IDataObject;
	/** The fields by which people recognise the record, as far as they are known. */
	names: IDataObject;
	/** By field of the API, the current value (null if there is none or the API does not return it) and the new one. */
	changes: Record<string, { from: unknown; to: unknown }>;
	/** The fields among them that the API does not return. */
	unknown: string[];
}

/** Returns the plan of a create, or of a change to a record that the API does not return. */
export function planOfUnread(item: Item): Plan {
	const { request, identifiers } = item;
	const sent = Object.entries(request.body ?? {});
	const changes = Object.fromEntries(sent.map(([field, to]) => [field, { from: null, to }]));
	if (request.effect === 'creates') {
		const names = namesIn(request.body ?? {}, item);
		return { action: 'create', identifiers, names, changes, unknown: [] };
	}
	return { action: 'update', identifiers, names: {}, changes, unknown: Object.keys(changes) };
}

/** Returns the plan of an update with this body. Only `fields` are compared. `planned`: what earlier items would set. */
export function planOfUpdate(
	item: Item,
	record: IDataObject,
	body: IDataObject,
	fields: Parameter[],
	planned: IDataObject = {},
): Plan {
	const changes: Plan['changes'] = {};
	const unknown: string[] = [];
	for (const each of fields) {
		const { field, sentAs, isNeverReturned } = each;
		const from = planned[sentAs] ?? currentValue(record, each) ?? null;
		// The API documents defaults for colors.
		const to = body[sentAs] ?? (field.type === 'color' ? field.default : null);
		const isHidden = isNeverReturned && from === null;
		if (!isHidden && sameValue(field, from, to)) continue;
		changes[sentAs] = { from, to };
		if (isHidden) unknown.push(sentAs);
	}
	const action = Object.keys(changes).length > 0 ? 'update' : 'none';
	const { identifiers } = item;
	return { action, identifiers, names: namesIn(record, item), changes, unknown };
}

/** The plan for a record that stays as it is. */
export function planOfNothing(identifiers: IDataObject, names: IDataObject): Plan {
	return { action: 'none', identifiers, names, changes: {}, unknown: [] };
}

/** The fields of a record by which people recognise it, such as the username. */
export function namesIn(record: IDataObject, { run }: Item): IDataObject {
	const { nameFields = [] } = run.prepared.operation.record ?? {};
	const known = nameFields.filter((field) => record[field]);
	return Object.fromEntries(known.map((field) => [field, record[field]]));
}

/** The current value of a field in the form in which an update sends it. Undefined if the record does not have it. */
export function currentValue(record: IDataObject, { sentAs, valueToPreserve }: Parameter): unknown {
	return valueToPreserve ? valueToPreserve(record) : record[sentAs];
}

/** The output of a dry run for an item: the record, and what would change. */
export function preview(item: Item, { identifiers, ...plan }: Plan): IDataObject {
	const { run, input } = item;
	const { changes } = plan;
	const unknown = plan.unknown.filter((field) => changes[field].to !== null);
	for (const field of unknown) {
		const parameter = run.prepared.bodyFields.find(({ sentAs }) => sentAs === field);
		run.notes.add('notReturned', input.sendLabels[field] ?? parameter?.label ?? field);
	}
	// A request without a body is the change itself.
	const isBare = plan.action !== 'none' && Object.keys(changes).length === 0;
	const fields = inWords(changes, unknown.length > 0 ? 'not shown' : 'none');
	const change = isBare ? run.prepared.operation.action : fields;
	const row = previewRow(item, { ...plan, change, columns: identifiers });
	return { ...row, changes: changes as IDataObject };
}

/** A row of a dry run: what people recognise first, then what would happen, then its `columns`. */
export function previewRow(
	{ run }: Item,
	{
		names,
		change,
		action,
		columns,
	}: Pick<Plan, 'names' | 'action'> & {
		change: string;
		columns: IDataObject;
	},
): IDataObject {
	run.notes.add('planned', action);
	const [first, ...others] = Object.entries(names);
	return {
		...Object.fromEntries(first ? [first] : []),
		change,
		action,
		...columns,
		...Object.fromEntries(others),
		dry_run: true,
	};
}

/** What a row of a dry run says if nothing would change. */
export const NO_CHANGE = 'nothing';

// The text for a table: the old and the new value of one change, or the names of the fields.
function inWords(changes: Plan['changes'], unknown: string): string {
	const fields = Object.keys(changes);
	if (fields.length !== 1) return fields.join(', ') || NO_CHANGE;
	const [from, to] = [changes[fields[0]].from, changes[fields[0]].to].map((value, at) => {
		if (typeof value === 'object' && value !== null) return undefined;
		return trimmed(value ?? '') || (at === 0 ? unknown : 'none');
	});
	return changeInWords(fields[0], from, to);
}

/** A change that was decided. */
export interface Decision {
	/** Absent if nothing was read to compare. */
	plan?: Plan;
	/** Makes the item if nothing is sent, because the record has these values. */
	current(): IDataObject;
	send(): Promise<HttpAnswer>;
}

/** Carries out a change: shows its plan in a dry run, skips what changes nothing, or else sends it. */
export async function carryOut(item: Item, decide: () => Promise<Decision>): Promise<IDataObject> {
	const { plan, current, send } = await decide();
	// A change whose answer was lost was made if the record shows it now.
	if (plan?.action === 'none' && item.lost) item.done = 'before';
	const isSame = plan?.action === 'none' || item.done === 'before';
	if (plan && item.isDryRun) return preview(item, plan);
	if (plan && isSame && item.skipsUnchanged) return markSkipped(item, current());
	return markSent(item, shapeAnswer(await send(), item), plan);
}

/** The item of a change that "Skip Unchanged" did not send, unless an earlier try made it. */
export function markSkipped(item: Item, record: IDataObject): IDataObject {
	// A record created earlier in this execution does not count as unchanged.
	if (item.done === 'none') item.run.notes.add('unchanged');
	return { ...record, changed: item.done === 'before' };
}

/** The item after its change was sent. With "Skip Unchanged", it has `changed`, for a model also the previous values. */
export function markSent(item: Item, record: IDataObject, plan?: Plan): IDataObject {
	const marked = item.skipsUnchanged ? { ...record, changed: true } : record;
	if (!plan || !item.run.isTool) return marked;
	const known = Object.entries(plan.changes).filter(([field]) => !plan.unknown.includes(field));
	const previous = Object.fromEntries(known.map(([field, { from }]) => [field, from]));
	return { ...marked, previous: previous as IDataObject };
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
