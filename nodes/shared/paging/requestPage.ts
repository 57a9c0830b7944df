import type { IDataObject } from 'n8n-workflow';
import type { HttpAnswer } from '../transport/answer';
import { hasMore } from '../transport/answer';
import type { Page } from './page';
import type { ApiRequest } from '../transport/request';

/**
 * Requests one page of a listing (pagination: docs/api/README.md, "Limits").
 *
 * @param send sends the request; throws where the answer is not what the request expects
 * @param request the listing, which expects a list; page and page_size are added
 * @param page counted from 1
 * @param pageSize the most records on it, up to 50
 * @throws what `send` throws
 */
export async function requestPage(
	send: (request: ApiRequest) => Promise<HttpAnswer>,
	request: ApiRequest,
	page: number,
	pageSize: number,
): Promise<Page> {
	const qs = { ...request.qs, page, page_size: pageSize };
	const answer = await send({ ...request, qs });
	// No content means no records.
	const records = Array.isArray(answer.body) ? (answer.body as IDataObject[]) : [];
	return { records, hasMore: hasMore(answer) };
}
