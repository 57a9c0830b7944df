import type { IDataObject } from 'n8n-workflow';
import { failureOfAnswer } from '../exchange/advice';
import type { HttpAnswer } from '../exchange/answer';
import { isListOfRecords } from '../exchange/answer';
import type { ApiRequest } from '../exchange/request';

/**
 * The records of a listing's page; none where the API says that there is no content.
 *
 * @throws Failure when the answer is not a list of records
 */
export function listedRecords(answer: HttpAnswer, request: ApiRequest): IDataObject[] {
	if (!isListOfRecords(answer)) throw failureOfAnswer(request, answer);
	return Array.isArray(answer.body) ? (answer.body as IDataObject[]) : [];
}
