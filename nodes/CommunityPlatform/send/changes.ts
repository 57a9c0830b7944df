import type { IDataObject } from 'n8n-workflow';
import { inApiType } from '../operation/apiType';
import type { Field, Meaning } from '../operation/field';
import { keysOf, meaning, withOptions } from '../operation/field';
import type { Operation } from '../operation/operation';
import { isSame } from '../operation/same';

/** A field of the API that an operation can send. */
export interface Sent extends Meaning {
	field: string;
	label: string;
	parameter: Field;
}

/** By field of the API: the value that it has, null where it has none or the API does not show it, and the new one. */
export type Changes = Record<string, { from: unknown; to: unknown }>;

/** What a request would change. */
export interface Plan {
	action: 'create' | 'update' | 'none';
	/** What names the record. */
	identifiers: IDataObject;
	changes: Changes;
	/** Labels of what would be set and the API does not show. */
	notShown: string[];
}

/** The fields of the API that an operation can send in a body. */
export function sentBy({ fields }: Pick<Operation, 'fields'>): Sent[] {
	return withOptions(fields).flatMap((each) => {
		const { type, property } = each.routing?.send ?? {};
		if (type !== 'body' || property === undefined) return [];
		const field = keysOf(property)[0];
		return { ...each[meaning], field, label: each.displayName, parameter: each };
	});
}

/** What creating a record would set. */
export function planOfCreate(body: IDataObject, identifiers: IDataObject = {}): Plan {
	return { action: 'create', identifiers, changes: allSet(body), notShown: [] };
}

/** What a request would set of which the API shows nothing. */
export function planOfUnseen(
	body: IDataObject,
	identifiers: IDataObject,
	labels: Record<string, string>,
): Plan {
	const notShown = Object.keys(body).map((field) => labels[field] ?? field);
	return { action: 'update', identifiers, changes: allSet(body), notShown };
}

/**
 * What an update would change.
 *
 * @param record as the API shows it
 * @param body what would be sent: by field of the API
 * @param sent the fields to compare
 * @param identifiers what names the record
 */
export function planOfUpdate(
	record: IDataObject,
	body: IDataObject,
	sent: Sent[],
	identifiers: IDataObject,
): Plan {
	const changes: Changes = {};
	const notShown: string[] = [];
	for (const each of sent) {
		const { field, label, parameter, isNeverShown, isNeeded } = each;
		const from = presentIn(record, each);
		// Every record has what an update needs.
		const isShown = isNeverShown ? record[field] !== undefined : !(isNeeded && from === null);
		const to = body[field] ?? whenLeftOut(parameter);
		if (isShown && isSame(parameter, from, to)) continue;
		changes[field] = { from, to };
		if (!isShown) notShown.push(label);
	}
	return { action: actionFor(changes), identifiers, changes, notShown };
}

/** The plan of an update that clears fields beside what it sets: those that the API does not show. */
export function withCleared(plan: Plan, cleared: Sent[]): Plan {
	const changes = { ...plan.changes };
	for (const { field } of cleared) changes[field] = { from: null, to: null };
	return { ...plan, action: actionFor(changes), changes };
}

// None where nothing differs.
function actionFor(changes: Changes): Plan['action'] {
	return Object.keys(changes).length > 0 ? 'update' : 'none';
}

// A color has the default that the API documents.
function whenLeftOut({ type, default: initial }: Field): unknown {
	return type === 'color' ? initial : null;
}

function allSet(body: IDataObject): Changes {
	return Object.fromEntries(
		Object.entries(body).map(([field, value]) => [field, { from: null, to: value }]),
	);
}

// As it would be sent to keep it; as it is shown where it cannot be kept.
function presentIn(record: IDataObject, { field, keep, parameter }: Sent): unknown {
	const shown = record[field] ?? null;
	try {
		const kept = keep ? keep(record) : shown;
		return inApiType(parameter, kept ?? null);
	} catch {
		return shown;
	}
}
