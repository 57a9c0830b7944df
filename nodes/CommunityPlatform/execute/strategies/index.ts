import type { IDataObject } from 'n8n-workflow';
import type { Strategy } from '../../actions/operation';
import { createOnce } from '../attempts';
import type { Item, Steps } from '../item';
import { planOfUnread, preview } from '../plan';
import { shapeAnswer } from '../shape';
import { createOrGet } from './createOrGet';
import { count, listing } from './listing';
import { reorder } from './reorder';
import { replace } from './replace';
import { updateMembers } from './updateMembers';
import { updateRole } from './updateRole';
import { upsert } from './upsert';

/** Returns the steps of a strategy, by default of one request. */
export function stepsOf(strategy?: Strategy): Steps {
	switch (strategy?.name) {
		case 'listing':
			return { send: async (item) => await listing(item, strategy) };
		case 'count':
			return { send: async (item) => await count(item, strategy) };
		case 'upsert':
			return { send: async (item) => await upsert(item, strategy.kind) };
		case 'createOrGet':
			return { send: createOrGet };
		case 'reorder':
			return { send: reorder };
		case 'replace':
			return replace;
		case 'updateMembers':
			return updateMembers();
		case 'updateRole':
			return { send: updateRole };
		case undefined:
			return { send: one };
	}
}

/** Sends one request, which reads or creates a record. */
async function one(item: Item): Promise<IDataObject[]> {
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
	const body: IDataObject | undefined = directory.members.read(input.values.userId);
	return body ? { body } : await item.send(request);
}
