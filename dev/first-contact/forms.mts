import type { ErrorObject } from 'ajv/dist/2020.js';
import { compileAt, openApi } from '../../sandbox/openapi.mts';
import type { Note } from './finding.mts';
import { shownNames } from './shown.mts';

/** A record as JSON. */
export type Json = Record<string, unknown>;

/** How records compare with the form that docs/api/openapi.yaml documents. */
export interface Comparison {
	/** Names of fields that must be there and are not. */
	missing: string[];
	/** Names of fields that are not documented. */
	additional: string[];
	/** What is of another type or no documented value, e.g. `user_status: must be integer`. */
	otherType: string[];
	/** Documented fields that no record has; a field without a value is left out. */
	neverSeen: string[];
}

/**
 * Compares records with a documented form.
 *
 * @param form name under components/schemas in docs/api/openapi.yaml
 * @param records as they were answered
 */
function compare(form: string, records: Json[]): Comparison {
	const { required = [], properties } = openApi.components.schemas[form] as {
		required?: string[];
		properties: Json;
	};
	const documented = Object.keys(properties);
	const seen = new Set(records.flatMap((record) => Object.keys(record)));
	const validate = compileAt(`/components/schemas/${form}`);
	const otherType = records.flatMap((record) =>
		validate(record) ? [] : (validate.errors ?? []).flatMap(asText),
	);
	return {
		missing: required.filter((field) => records.some((record) => !(field in record))),
		additional: [...seen].filter((field) => !documented.includes(field)),
		otherType: [...new Set(otherType)],
		neverSeen: documented.filter((field) => !seen.has(field)),
	};
}

// Names the field and the rule, never the value: it may be personal.
function asText({ instancePath, keyword, message }: ErrorObject): string[] {
	if (keyword === 'required') return [];
	const names = instancePath.split('/').slice(1);
	const field = names.map((name) => (/^\d+$/.test(name) ? '[]' : shownNames([name]))).join('.');
	return [`${field.replaceAll('.[]', '[]') || 'record'}: ${message}`];
}

/**
 * Notes how records compare with a documented form.
 *
 * @param records as they were answered, at least one
 */
export function noteForm(note: Note, form: string, records: Json[]): void {
	const { missing, additional, otherType, neverSeen } = compare(form, records);
	const parts = [
		missing.length > 0 && `missing: ${missing.join(', ')}`,
		otherType.length > 0 && `other type: ${otherType.join('; ')}`,
		additional.length > 0 && `additional: ${shownNames(additional)}`,
	].filter((part) => part !== false);
	// The node finds a record by its identifier, and sends kept fields back in the documented type.
	const isInTheWay = missing.length > 0 || otherType.length > 0;
	const verdict = isInTheWay ? 'in the way' : parts.length > 0 ? 'differs' : 'as documented';
	const seen = `${records.length} looked at`;
	note(`Form ${form}`, verdict, parts.length > 0 ? parts.join('; ') : seen);
	if (neverSeen.length > 0) note(`Fields without a value`, 'answered', neverSeen.join(', '));
}
