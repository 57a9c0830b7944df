import type { IDataObject } from 'n8n-workflow';
import { Stopped } from '../../shared/transport';
import type { ApiRequest } from '../../shared/transport/request';
import { Failure, asFailure } from '../../shared/transport/failure';
import { Stop } from '../../shared/limiter';
import { isIdentifier } from '../../shared/records/identity';
import { isRoundedInteger } from '../input/numbers';
import type { Operation } from '../actions/operation';
import { dispatch } from './dispatch';
import type { ItemContext } from './itemContext';
import { pathFiller } from './requestMaker';

type Detail = NonNullable<Operation['detail']>;

// For records that were listed a moment ago and are gone.
const GONE = [404, 410];

/**
 * Reads each record of a listing, as many at once as the limiter allows.
 *
 * @param listed the records of the listing; emptied in the process
 * @param detail how to read one
 * @returns the records, in the same order; if the node continues, a Failure in place of each that could not be read
 * @throws the first failure, if the node stops; no further record is read then
 */
export async function readEach(
	item: ItemContext,
	listed: IDataObject[],
	detail: Detail,
): Promise<Array<IDataObject | Failure>> {
	const requestOf = requestFor(detail);
	const details: Array<IDataObject | Failure> = [];
	const stop = new Stop();
	let cause: unknown;
	await dispatch<IDataObject>(listed, { size: 1, intervalMs: 0 }, stop, async (record, index) => {
		const id = identifierOf(record, detail);
		try {
			const { body } = await item.send(requestOf(id), stop);
			details[index] = body as IDataObject;
		} catch (error) {
			if (stop.isStopped) return;
			const failure = error instanceof Stopped ? error : failureOf(error, id);
			if (item.isContinuing && failure instanceof Failure) {
				details[index] = failure;
				return;
			}
			cause = failure;
			stop.stop();
		}
	});
	if (cause !== undefined) throw cause;
	return details;
}

function requestFor({ url, record }: Detail): (id: string) => ApiRequest {
	const fillPath = pathFiller(url);
	return (id) => ({
		method: 'GET',
		repeat: 'safe',
		path: fillPath({ id }, () => withoutId()),
		expects: { record, id },
	});
}

// A number that was rounded when the JSON was parsed identifies another member.
function identifierOf(record: IDataObject, { record: { idField, compositeId } }: Detail): string {
	const fields = [...(compositeId ? [compositeId.field] : []), idField];
	const id = fields
		.map((field) => record[field])
		.find((value) => isIdentifier(value) && !isRoundedInteger(value));
	return id === undefined ? '' : String(id);
}

function withoutId(): Failure {
	return new Failure(
		'The list does not show the identifier of a member',
		'Check that the owner of the API key may view members, or turn "Include Details" off.',
	);
}

function failureOf(error: unknown, id: string): Failure {
	const { message, advice, details } = asFailure(error);
	if (id === '') return new Failure(message, advice, details);
	const told = GONE.includes(details.httpCode ?? 0)
		? `The member ${id} is in the list, but was not found a moment later, or this key may not see the member.`
		: `${advice} This is about the member ${id}.`;
	return new Failure(message, told, { ...details, msid: id });
}
