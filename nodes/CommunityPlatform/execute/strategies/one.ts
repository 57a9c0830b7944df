import type { IDataObject } from 'n8n-workflow';
import { createOnce } from '../attempts';
import type { Item } from '../item';
import { shapeAnswer } from '../shape';
import { planOfUnread, preview } from '../plan';

/** Sends one request, which reads or creates a record. */
export async function one(item: Item): Promise<IDataObject[]> {
	if (item.isDryRun) return [preview(item, planOfUnread(item))];
	const isRead = item.request.method === 'GET';
	return [shapeAnswer(isRead ? await fetched(item) : await create(item), item)];
}

async function create(item: Item) {
	const lock = item.lockCreates();
	// Without a promise if there is nothing to wait for: promises are costly in runs of thousands of items.
	if (lock.ready) await item.waitFor(lock);
	return await createOnce(item);
}

/** Returns the member if a search has just read it. */
async function fetched(item: Item): Promise<{ body: unknown }> {
	const { directory, input, request } = item;
	const body: IDataObject | undefined = directory.members.readWithin(input.values.userId);
	return body ? { body } : await item.send(request);
}
