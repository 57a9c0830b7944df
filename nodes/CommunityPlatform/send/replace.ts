import type { IDataObject } from 'n8n-workflow';
import { failureOfAnswer } from '../../shared/advice';
import { isRecord } from '../../shared/answer';
import { Failure } from '../../shared/failure';
import type { ApiRequest } from '../../shared/request';
import type { Input } from '../input/readInput';
import type { Item, Operation } from './item';
import { recordKey } from './one';
import type { Replaceable } from './replaceable';
import type { Sending } from './roads';
import { sending } from './roads';
import { shapeAnswer } from './shape';

/**
 * An update by PUT, which replaces the whole record: with "Keep Other Fields" the record is read
 * first and what was not given is sent along unchanged (contract, decision 8). Reading and writing
 * are one turn, so no other write of this process comes between them.
 *
 * @param replaceable how the record becomes a body
 * @param operation the update
 */
export function sendReplace(replaceable: Replaceable, operation: Operation): Sending {
	return sending(async (item) => {
		const { request, input } = item;
		await item.waitFor(item.queueToWrite(recordKey(request.path)));
		if (keepsOthers(input)) return [await replaceKept(item, request, replaceable)];
		return [shapeAnswer(await item.send(request), request, item)];
	})({
		...operation,
		check(input) {
			if (Object.keys(input.body).length === 0) {
				throw new Failure(
					'Nothing was given to change',
					'Add at least one field under "Update Fields" and give it a value.',
				);
			}
			if (!keepsOthers(input)) requireFields(input.body, replaceable, input);
		},
	});
}

/**
 * Replaces a record by what it holds already and the given fields over it.
 *
 * @param request the PUT, with the given fields as its body
 * @throws Failure when the record lacks a field that PUT requires, or one that cannot be kept, and none
 * was given
 */
export async function replaceKept(
	item: Item,
	request: ApiRequest,
	replaceable: Replaceable,
): Promise<IDataObject> {
	const { path, identifiers } = request;
	const read: ApiRequest = { method: 'GET', path, identifiers };
	const answer = await item.send(read);
	if (!isRecord(answer.body)) throw failureOfAnswer(read, answer);
	const body: IDataObject = {
		...replaceable.keep(without(answer.body, request.body)),
		...request.body,
	};
	requireFields(body, replaceable, item.input);
	const replaced = shapeAnswer(await item.send({ ...request, body }), request, item);
	for (const field of replaceable.hidden ?? []) {
		if (!(field in body)) item.notes.notKept.add(item.input.sendLabels[field]);
	}
	return replaced;
}

// What is given need not be kept, so it does not matter whether it could be.
function without(record: IDataObject, given: IDataObject = {}): IDataObject {
	return Object.fromEntries(Object.entries(record).filter(([field]) => !(field in given)));
}

function requireFields(body: IDataObject, { required }: Replaceable, input: Input): void {
	const missing = required.filter((field) => !(field in body));
	if (missing.length === 0) return;
	const names = missing.map((field) => `"${input.sendLabels[field]}"`).join(', ');
	throw new Failure(
		`An update needs a value for ${names}`,
		`Add ${names} under "Update Fields"${keepsOthers(input) ? ': the API did not show the present value' : ', or turn on "Keep Other Fields"'}.`,
	);
}

function keepsOthers({ values }: Input): boolean {
	return values.keepOtherFields !== false;
}
