import type { IDataObject } from 'n8n-workflow';
import { inApiType } from '../input/apiType';
import type { Field, Meaning } from '../input/field';
import { keysOf, meaning, withOptions } from '../input/field';
import type { Operation } from '../actions/operation';
import { isSame } from '../input/same';

/** A field of the API that an operation can send. */
export interface Sent extends Meaning {
	field: string;
	label: string;
	parameter: Field;
}

/** By field of the API: the present value, null if there is none or the API does not show it, and the new one. */
export type Changes = Record<string, { from: unknown; to: unknown }>;

/** What a request would change. */
export interface Plan {
	action: 'create' | 'update' | 'none';
	/** The identifiers of the record. */
	identifiers: IDataObject;
	changes: Changes;
	/** Labels of fields that would be set and the API does not show. */
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

/** The plan of a create. */
export function planOfCreate(body: IDataObject, identifiers: IDataObject = {}): Plan {
	return { action: 'create', identifiers, changes: allSet(body), notShown: [] };
}

/** The plan of a change of which the API shows nothing. */
export function planOfUnseen(
	body: IDataObject,
	identifiers: IDataObject,
	labels: Record<string, string>,
): Plan {
	const notShown = Object.keys(body).map((field) => labels[field] ?? field);
	return { action: 'update', identifiers, changes: allSet(body), notShown };
}

/**
 * The plan of an update.
 *
 * @param record as the API shows it
 * @param body what would be sent
 * @param sent the fields to compare
 * @param identifiers of the record
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
		// A record always has the fields that an update requires.
		const isShown = isNeverShown ? record[field] !== undefined : !(isNeeded && from === null);
		const to = body[field] ?? whenLeftOut(parameter);
		if (isShown && isSame(parameter, from, to)) continue;
		changes[field] = { from, to };
		if (!isShown) notShown.push(label);
	}
	return { action: actionFor(changes), identifiers, changes, notShown };
}

/** The plan of an update that also clears fields which the API does not show. */
export function withCleared(plan: Plan, cleared: Sent[]): Plan {
	const changes = { ...plan.changes };
	for (const { field } of cleared) changes[field] = { from: null, to: null };
	return { ...plan, action: actionFor(changes), changes };
}

// Without a difference, there is nothing to do.
function actionFor(changes: Changes): Plan['action'] {
	return Object.keys(changes).length > 0 ? 'update' : 'none';
}

// The API documents defaults for colors.
function whenLeftOut({ type, default: initial }: Field): unknown {
	return type === 'color' ? initial : null;
}

function allSet(body: IDataObject): Changes {
	return Object.fromEntries(
		Object.entries(body).map(([field, value]) => [field, { from: null, to: value }]),
	);
}

// The value that would be sent to keep it; the shown value if it cannot be kept.
function presentIn(record: IDataObject, { field, keep, parameter }: Sent): unknown {
	const shown = record[field] ?? null;
	try {
		const kept = keep ? keep(record) : shown;
		return inApiType(parameter, kept ?? null);
	} catch {
		return shown;
	}
}
