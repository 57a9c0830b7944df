import type { IDataObject } from 'n8n-workflow';
import { isIdentified, isNamedBy } from '../records/identity';
import type { RecordType } from '../records/types';
import type { HttpAnswer } from './answer';
import { isEmpty, isRecord, isWebPage } from './answer';
import { methodClass } from './methodClass';
import { isRefusal, isRefusalOfApi } from './reason';

/** What the API documents as the answer to a request that succeeds (api/openapi.yaml). */
export type Expected =
	/** A record of a type; the one with this identifier where the request names it. */
	| { record: RecordType; id?: string }
	/** A page of records of a type. */
	| { list: RecordType }
	/** That it was done; whatever else comes with it is not documented. */
	| 'acknowledgement';

/** What came back in place of what was expected. */
export type Unexpected = 'webPage' | 'refusal' | 'nothing' | 'otherRecord' | 'somethingElse';

const NO_CONTENT = 204;

/**
 * Compares the answer to a successful request with what was expected: the one place that decides what counts as
 * a record, a list and an acknowledgement.
 *
 * @param request its HTTP method and what it expects
 * @param answer with a success status
 * @returns undefined when the answer is as expected
 */
export function unexpectedIn(
	{ method, expects }: { method: string; expects: Expected },
	answer: HttpAnswer,
): Unexpected | undefined {
	if (isWebPage(answer)) return 'webPage';
	const { body } = answer;
	if (isRefusalOfApi(body)) return 'refusal';
	const unexpected = differenceOf(method, expects, answer);
	return unexpected !== 'otherRecord' && unexpected && isRefusal(body) ? 'refusal' : unexpected;
}

function differenceOf(
	method: string,
	expects: Expected,
	{ statusCode, body }: HttpAnswer,
): Unexpected | undefined {
	if (expects === 'acknowledgement') return isRefusal(body) ? 'refusal' : undefined;
	if ('list' in expects) {
		if (statusCode === NO_CONTENT || isListOf(expects.list, body)) return undefined;
		return 'somethingElse';
	}
	// A write may only be acknowledged, also where a record is documented.
	if (methodClass(method) !== 'safe' && isAcknowledgement(body)) return undefined;
	if (isEmpty(body)) return 'nothing';
	const { record, id } = expects;
	if (!isRecord(body) || !isIdentified(body, record)) return 'somethingElse';
	// Some name the record that they refuse.
	if (isRefusal(body) && fieldsIn(body, record) === 0) return 'refusal';
	return id === undefined || isNamedBy(body, record, id) ? undefined : 'otherRecord';
}

/** Whether a body says no more than that a write was carried out: nothing, or `{ message: 'OK' }`. */
export function isAcknowledgement(body: unknown): boolean {
	if (isEmpty(body)) return true;
	return isRecord(body) && /^\s*ok\b/i.test(String(body.message)) && !isRefusal(body);
}

// An identifier can be hidden from the caller, as any field: then two others have to be there.
function isListOf(type: RecordType, body: unknown): body is IDataObject[] {
	return (
		Array.isArray(body) &&
		body.every((each) => isRecord(each) && (isIdentified(each, type) || fieldsIn(each, type) > 1))
	);
}

// How many documented fields there are, but for identifiers and what an error body has as well.
function fieldsIn(record: IDataObject, { fields, idField, compositeId }: RecordType): number {
	const others = [idField, compositeId?.field, compositeId?.codeField, 'status'];
	return fields.filter((field) => field in record && !others.includes(field)).length;
}
