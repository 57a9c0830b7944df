import type { ApiRequest } from '../../shared/request';
import type { Item } from './item';
import { sending } from './roads';
import { shapeAnswer } from './shape';

/** One request for each item: get, create, replace without reading first, acknowledge. */
export const sendOne = sending(async (item) => {
	const { request } = item;
	await untilMayWrite(item, request);
	return [shapeAnswer(await item.send(request), request, item)];
});

async function untilMayWrite(item: Item, request: ApiRequest): Promise<void> {
	if (request.method === 'POST') await item.waitFor(item.queueToCreate());
	else if (request.method !== 'GET') await item.waitFor(item.queueToWrite(recordKey(request.path)));
}

/**
 * What identifies a record in the queue of its writes: /users/42.abc and /users/42 are one member,
 * /boards/7/members belongs to board 7.
 *
 * @param path of the request, below the base URL
 */
export function recordKey(path: string): string {
	const [, api, version, resource, id = ''] = path.split('/');
	return [api, version, resource, id.split('.')[0]].join('/');
}
