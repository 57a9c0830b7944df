import type { IDataObject } from 'n8n-workflow';
import { identifierOf, isIdentified, isNamedBy } from '../records/identity';
import type { RecordType } from '../records/types';
import type { HttpAnswer } from './answer';
import { isEmpty, isRecord, isWebPage } from './answer';
import { isRefusal, isRefusalOfApi } from './reason';
import type { Repeat } from './repeat';

/** The documented answer to a request that succeeds (docs/api/openapi.yaml). */
export type Expected =
	/** A record of a type, with this identifier where the request names one. */
	| { record: RecordType; id?: string }
	/** A page of records of a type. */
	| { list: RecordType }
	/** No record is documented. */
	| 'acknowledgement';

/** What came back instead of what was expected. */
export type Unexpected = 'webPage' | 'refusal' | 'nothing' | 'otherRecord' | 'somethingElse';

const NO_CONTENT = 204;

/**
 * Validates the answer to a request that succeeded: the one place that decides what is a record, a list or an
 * acknowledgement (docs/decisions.md, A10).
 *
 * @param request how it may be repeated, and what it expects
 * @param answer with a success status
 * @returns undefined when the answer is as expected
 */
export function unexpectedIn(
	{ repeat, expects }: { repeat: Repeat; expects: Expected },
	answer: HttpAnswer,
): Unexpected | undefined {
	if (isWebPage(answer)) return 'webPage';
	const { body } = answer;
	if (isRefusalOfApi(body)) return 'refusal';
	const unexpected = differenceOf(repeat, expects, answer);
	return unexpected !== 'otherRecord' && unexpected && isRefusal(body) ? 'refusal' : unexpected;
}

function differenceOf(
	repeat: Repeat,
	expects: Expected,
	{ statusCode, body }: HttpAnswer,
): Unexpected | undefined {
	if (expects === 'acknowledgement') return isRefusal(body) ? 'refusal' : undefined;
	if ('list' in expects) {
		if (statusCode === NO_CONTENT || isListOf(expects.list, body)) return undefined;
		return 'somethingElse';
	}
	// A write may only be acknowledged, also where a record is documented.
	if (repeat !== 'safe' && isAcknowledgement(body)) return undefined;
	if (isEmpty(body)) return 'nothing';
	const { record, id } = expects;
	if (!isRecord(body) || !isIdentified(body, record)) return 'somethingElse';
	// An error body can hold the identifier of the record.
	if (isRefusal(body) && fieldsIn(body, record) === 0) return 'refusal';
	if (id === undefined || identifierOf(body, record) === undefined) return undefined;
	return isNamedBy(body, record, id) ? undefined : 'otherRecord';
}

/** Whether a body only acknowledges a write: nothing, or `{ message: 'OK' }`. */
export function isAcknowledgement(body: unknown): boolean {
	if (isEmpty(body)) return true;
	return isRecord(body) && /^\s*ok\b/i.test(String(body.message)) && !isRefusal(body);
}

// Like any field, an identifier can be hidden from the caller: then two others have to be there.
function isListOf(type: RecordType, body: unknown): body is IDataObject[] {
	return (
		Array.isArray(body) &&
		body.every((each) => isRecord(each) && (isIdentified(each, type) || fieldsIn(each, type) > 1))
	);
}

// How many documented fields a record has, without identifiers and fields that an error body has as well.
function fieldsIn(record: IDataObject, { fields, idField, compositeId }: RecordType): number {
	const others = [idField, compositeId?.field, compositeId?.codeField, 'status'];
	return fields.filter((field) => field in record && !others.includes(field)).length;
}
