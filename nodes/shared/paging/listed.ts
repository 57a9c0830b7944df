import type { IDataObject } from 'n8n-workflow';
import { failureOfAnswer } from '../exchange/advice';
import type { HttpAnswer } from '../exchange/answer';
import { isRecord } from '../exchange/answer';
import type { ApiRequest } from '../exchange/request';

const NO_CONTENT = 204;

/**
 * The records of a listing's page; none where the API says that there is no content.
 *
 * @throws Failure when the answer is not a list of records
 */
export function listedRecords(answer: HttpAnswer, request: ApiRequest): IDataObject[] {
	const { statusCode, body } = answer;
	if (statusCode === NO_CONTENT) return [];
	if (!Array.isArray(body) || !body.every(isRecord)) {
		throw failureOfAnswer(request, answer);
	}
	return body;
}
