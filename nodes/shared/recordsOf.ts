import type { IDataObject } from 'n8n-workflow';
import { failureOfAnswer } from './advice';
import type { HttpAnswer } from './answer';
import { isRecord } from './answer';
import type { ApiRequest } from './request';

const NO_CONTENT = 204;

/**
 * The records of a listing's page; none where the API says that there is no content.
 *
 * @throws Failure when the answer is not a list of records
 */
export function recordsOf(answer: HttpAnswer, request: ApiRequest): IDataObject[] {
	const { statusCode, body } = answer;
	if (statusCode === NO_CONTENT) return [];
	if (!Array.isArray(body) || !body.every(isRecord)) {
		throw failureOfAnswer(request, answer);
	}
	return body;
}
