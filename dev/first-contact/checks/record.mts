import type { Findings, Use } from '../finding.mts';
import type { Json } from '../forms.mts';
import { noteForm } from '../forms.mts';
import { described, isDocumentedError, isSuccess } from '../refusal.mts';
import { shownUrl } from '../shown.mts';
import type { Visitor } from '../visitor.mts';

/** A record of the API that can be read by its identifier. */
export interface Single {
	/** What it is, e.g. `Board`. */
	part: string;
	path: string;
	/** The identifier that the record has to carry. */
	id: unknown;
	idField: string;
	/** Name of the documented form, see `noteForm`. */
	form: string;
	uses: Use[];
}

/**
 * Checks that a record that is asked for by its identifier is the one that comes, in the documented form.
 *
 * @returns the record, or undefined where something else came
 */
export async function checkRecord(
	visitor: Visitor,
	findings: Findings,
	{ part, path, id, idField, form, uses }: Single,
): Promise<Json | undefined> {
	const note = findings.about(part, uses);
	const answer = await visitor.get(path);
	const record = (answer.body ?? {}) as Json;
	if (!isSuccess(answer)) {
		note('Read by its identifier', 'in the way', `GET ${shownUrl(path)}: ${described(answer)}`);
		return undefined;
	}
	if (String(record[idField]) !== String(id)) {
		const other = record[idField] === undefined ? `no ${idField}` : `another ${idField}`;
		note(
			'Read by its identifier',
			'in the way',
			`GET ${shownUrl(path)}: ${described(answer)} with ${other}`,
		);
		return undefined;
	}
	note('Read by its identifier', 'as documented', `${answer.status}`);
	noteForm(note, form, [record]);
	return record;
}

/** An identifier that hardly any community has reached. */
const UNKNOWN_ID = 999_999_999;

/** Checks how a record that does not exist is refused. */
export async function checkUnknownRecord(visitor: Visitor, findings: Findings): Promise<void> {
	const note = findings.about('What does not exist', ['records']);
	const answer = await visitor.get(`/api/v1/boards/${UNKNOWN_ID}`);
	if (isSuccess(answer) && !isDocumentedError(answer.body)) {
		note('Refused', 'in the way', `GET ${answer.url}: ${described(answer)}`);
	} else if (answer.status === 404 && isDocumentedError(answer.body)) {
		note('Refused', 'as documented', described(answer));
	} else note('Refused', 'differs', described(answer));
}
