import type { ApiRequest } from '../../shared/exchange/request';
import type { Item, Way } from './item';
import { shapeAnswer } from './shape';

/** One request for each item: get, create, replace without reading first, acknowledge. */
export const one: Way = {
	async send(item) {
		const { request } = item;
		await untilMayWrite(item, request);
		return [shapeAnswer(await item.send(request), item)];
	},
};

async function untilMayWrite(item: Item, request: ApiRequest): Promise<void> {
	if (request.method === 'POST') await item.waitFor(item.queueToCreate());
	else if (request.method !== 'GET') await item.waitFor(item.queueToWrite(recordKey(request.path)));
}

/**
 * What identifies a record in the queue of its writes: /users/42.abc and /users/42 are one member,
 * /boards/7/members belongs to board 7.
 *
 * @param path of the request
 */
export function recordKey(path: string): string {
	const [, resource, id = ''] = path.split('/');
	return `${resource}/${id.split('.')[0]}`;
}
