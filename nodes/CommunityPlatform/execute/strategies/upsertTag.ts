import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../../shared/transport/failure';
import { pages } from '../../../shared/pagination';
import { isIdentifier } from '../../../shared/records/identity';
import { NAMED } from '../../../shared/names';
import { tag } from '../../../shared/records/types';
import type { ItemContext, Strategy } from '../itemContext';
import { markSent, preview } from '../carryOut';
import { planOfCreate } from '../changes';
import { recordKey } from './one';
import { replaceRecord } from './replace';
import { pathFiller } from '../requestMaker';
import { shapeAnswer } from '../output';

const tagPath = pathFiller('/tags/{id}');

/**
 * Create or Update: looks the tag up by its name, then replaces or creates it. When another client creates it in
 * between, the API answers 409 and that tag is updated instead; after a create without an answer, the tag is looked up
 * once more. `created` says what happened.
 */
export const upsertTag: Strategy = {
	async send(item) {
		const name = bareName(item.input.values.name);
		// Both locks are requested now, in item order; an item whose tag exists releases the lock for creates.
		const nameLock = item.lockRecord(`tag named ${name}`);
		const createLock = item.lockCreates();
		await item.waitFor(nameLock);
		const known = item.isCompared
			? await findNamedOrShown(item, name)
			: await findTag(item, name, hasName(name));
		if (known) {
			createLock.release();
			return [await update(item, known, false)];
		}
		if (item.isDryRun) return [preview(item, planOfCreate(item.input.body, { name }))];
		await item.waitFor(createLock);
		const answer = await item.send(item.request).catch(unlessMayExist);
		if (answer instanceof Failure) return [await updateExisting(item, name, answer)];
		return [withCreated(markSent(item, shapeAnswer(answer, item)), true)];
	},
};

// Any other failure goes its way.
function unlessMayExist(error: unknown): Failure {
	if (error instanceof Failure && (isTaken(error) || error.isUncertain)) return error;
	throw error;
}

function isTaken({ details }: Failure): boolean {
	return details.httpCode === 409;
}

// The search matches parts of names, so the exact match is selected here.
async function findTag(
	item: ItemContext,
	query: string,
	isWanted: (tag: IDataObject) => boolean,
): Promise<IDataObject | undefined> {
	const search = { path: '/tags/search', qs: { q: query } };
	for await (const { records } of pages(item, search, NAMED.tag.type)) {
		const found = records.find(isWanted);
		if (found) return found;
	}
	return undefined;
}

// The API derives the stored name in an undocumented way. Letters and digits stay, so the search term is the longest run
// of them.
async function findDerived(
	item: ItemContext,
	name: string,
	isWanted: (tag: IDataObject) => boolean,
): Promise<IDataObject | undefined> {
	const runs = name.match(/[\p{L}\p{N}]+/gu) ?? [name];
	const longest = runs.reduce((a, b) => (b.length > a.length ? b : a));
	const isSame = (tag: IDataObject) => lettersAndDigits(bareName(tag.name)) === runs.join('');
	return await findTag(item, longest, (tag) => isSame(tag) && isWanted(tag));
}

// If several tags have the same letters and digits, any of them may have taken the name.
async function findTakenTag(item: ItemContext, name: string): Promise<IDataObject | undefined> {
	const found: IDataObject[] = [];
	await findDerived(item, name, (tag) => {
		found.push(tag);
		return false;
	});
	return found.length === 1 ? found[0] : undefined;
}

// A tag whose display name is the given name was certainly derived from it.
async function findNamedOrShown(item: ItemContext, name: string): Promise<IDataObject | undefined> {
	const found = await findTag(item, name, hasName(name));
	if (found || lettersAndDigits(name) === name) return found;
	return await findDerived(item, name, (tag) => bareName(tag.display_name) === name);
}

function hasName(name: string): (tag: IDataObject) => boolean {
	return (tag) => bareName(tag.name) === name;
}

function lettersAndDigits(name: string): string {
	return name.replace(/[^\p{L}\p{N}]/gu, '');
}

// Names are stored in lowercase, and users write hashtags with and without the sign.
function bareName(name: unknown): string {
	return String(name).trim().replace(/^#/, '').toLowerCase();
}

function withoutId(): Failure {
	return new Failure(
		'The API found the tag, but did not show its identifier',
		'Check that the owner of the API key may view tags.',
	);
}

// The tag exists although the first search did not find it: another client was faster, or an answer was lost.
async function updateExisting(
	item: ItemContext,
	name: string,
	failure: Failure,
): Promise<IDataObject> {
	const isLost = !isTaken(failure);
	const found = isLost
		? await findNamedOrShown(item, name).catch(() => undefined)
		: ((await findNamedOrShown(item, name)) ?? (await findTakenTag(item, name)));
	if (!found) throw failure;
	if (isLost) item.noteApplied();
	return await update(item, found, isLost);
}

async function update(
	item: ItemContext,
	{ tag_id: id }: IDataObject,
	isCreated: boolean,
): Promise<IDataObject> {
	// A number that JSON has rounded names another tag.
	if (!isIdentifier(id)) throw withoutId();
	const path = tagPath({ id }, withoutId);
	await item.waitFor(item.lockRecord(recordKey(path)));
	const expects = { record: tag, id: String(id) };
	const { body: given, labels, identifiers } = item.request;
	// An existing name keeps its spelling.
	const body = { ...given };
	delete body.name;
	// Only the body of the create: its headers and query fields may not apply to the update.
	const request = { method: 'PUT', repeat: 'idempotent', path, body, expects } as const;
	const done = await replaceRecord(item, { ...request, labels, identifiers }, true);
	if (item.isDryRun) return done;
	return withCreated(isCreated ? asSent(item, done) : done, isCreated);
}

// A created tag counts as changed.
function asSent(item: ItemContext, record: IDataObject): IDataObject {
	if (record.changed !== false) return record;
	item.notes.unchanged--;
	return markSent(item, record);
}

function withCreated({ changed, ...record }: IDataObject, created: boolean): IDataObject {
	return { ...record, created, ...(changed === undefined ? {} : { changed }) };
}
