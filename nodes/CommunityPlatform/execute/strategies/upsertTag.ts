import type { IDataObject } from 'n8n-workflow';
import { NAMED, foldName, isSameName } from '../../../shared/names';
import { pages } from '../../../shared/pagination';
import { identifierOf } from '../../../shared/records/identity';
import { tag, tagSummary } from '../../../shared/records/types';
import { Failure } from '../../../shared/transport';
import type { Item, Strategy } from '../item';
import { shapeAnswer } from '../output';
import { Names } from '../names';
import { markSent, planOfCreate, preview } from '../plan';
import { filledPath } from '../request';
import { replaceRecord } from './replace';

/**
 * Create or Update: searches for the tag, then replaces or creates it. After a create that the API refused because of the
 * name (409), or that got no answer, all tags are looked through: another client was faster, or the stored name is
 * spelled in a way that the search did not match. `created` says what happened.
 */
export const upsertTag: Strategy = {
	async send(item) {
		const name = String(item.input.values.name);
		// Both locks are requested now, in item order; an item whose tag exists releases the lock for creates.
		const nameLock = item.lockRecord(`/tag named/${encodeURIComponent(foldName(name, true))}`);
		const createLock = item.lockCreates();
		await item.waitFor(nameLock);
		const known = (await searched(item, name)) ?? (item.isCompared && (await item.names.tag(name)));
		if (known) {
			createLock.release();
			return [await update(item, known, false)];
		}
		if (item.isDryRun) return [preview(item, planOfCreate(item.input.body, { name }))];
		await item.waitFor(createLock);
		const answer = await item.send(item.request).catch(unlessMayExist);
		if (!(answer instanceof Failure)) {
			return [withCreated(markSent(item, shapeAnswer(answer, item)), true)];
		}
		const isLost = answer.isUncertain;
		const found = await lookAgain(item, name).catch((failure: unknown) => {
			// That the create may have been carried out matters more than why the tag cannot be looked up.
			throw isLost && failure instanceof Failure ? answer : failure;
		});
		if (!found) throw answer;
		item.hasChanged ||= isLost;
		return [await update(item, found, isLost)];
	},
};

// Any other failure goes its way.
function unlessMayExist(error: unknown): Failure {
	const isTaken = error instanceof Failure && error.details.httpCode === 409;
	if (error instanceof Failure && (isTaken || error.isUncertain)) return error;
	throw error;
}

async function lookAgain(item: Item, name: string): Promise<IDataObject | undefined> {
	return (await searched(item, name)) ?? (await new Names(item).tag(name));
}

// The search matches parts of the stored name, in whichever Unicode form that is.
async function searched(item: Item, name: string): Promise<IDataObject | undefined> {
	const folded = foldName(name, true);
	for (const q of new Set([folded, folded.normalize('NFD')])) {
		for await (const { records } of pages(item, { path: '/tags/search', qs: { q } }, tagSummary)) {
			const found = records.find((each) =>
				NAMED.tag.nameFields.some((field) => isSameName(each[field], name, true)),
			);
			if (found) return found;
		}
	}
	return undefined;
}

async function update(item: Item, found: IDataObject, isCreated: boolean): Promise<IDataObject> {
	const id = identifierOf(found, tag);
	const path = filledPath('/tags/{id}', { id }, withoutId);
	await item.waitFor(item.lockRecord(path));
	const { body: given, labels, identifiers } = item.request;
	// An existing name keeps its spelling.
	const body = { ...given };
	delete body.name;
	const expects = { record: tag, id };
	const put = { method: 'PUT', repeat: 'idempotent', path, expects, labels, identifiers } as const;
	const done = await replaceRecord(item, { ...put, body }, true);
	if (item.isDryRun) return done;
	return withCreated(isCreated ? asSent(item, done) : done, isCreated);
}

function withoutId(): Failure {
	return new Failure(
		'The API found the tag, but did not show its identifier',
		'Check that the owner of the API key may view tags.',
	);
}

// A created tag counts as changed.
function asSent(item: Item, record: IDataObject): IDataObject {
	if (record.changed !== false) return record;
	item.notes.unchanged--;
	return markSent(item, record);
}

function withCreated({ changed, ...record }: IDataObject, created: boolean): IDataObject {
	return { ...record, created, ...(changed === undefined ? {} : { changed }) };
}
