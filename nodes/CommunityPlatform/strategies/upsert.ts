import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../shared/failure';
import { pages } from '../../shared/pagination';
import { NAMED, identifierOf } from '../../shared/records/identity';
import { tagSummary, type RecordType } from '../../shared/records/types';
import { foldName, isSameName } from '../../shared/text';
import { isRecord, type HttpAnswer } from '../../shared/transport';
import { badValue } from '../../shared/values';
import { toNumberIfExact } from '../input/identifiers';
import { Listed } from '../people/listed';
import { createOnce, createdBefore, lostAt } from '../run/tries';
import type { Item, Records } from '../run/item';
import { markSent, namesIn, planOfNothing, planOfUnread, planOfUpdate, preview } from '../run/plan';
import { recordShaper, shapeAnswer } from '../run/shape';
import { requireFreeName } from './freeName';
import { replaceRecord } from './replace';

/**
 * Create or Update: looks for the board or the tag by its name, then replaces or creates it. If the API refuses a
 * create because of the name (409) or sends no answer, all records are searched. Another client may have been faster,
 * or the search may not match the stored name. `created` tells which.
 */
export async function upsert(item: Item): Promise<Records> {
	const { kind } = namedBy(item);
	const all = async () => await item.community.all(kind);
	return [item.isDryRun ? await plan(item, all) : await send(item, all)];
}

async function plan(item: Item, all: FindAll): Promise<IDataObject> {
	const { planned } = item.community;
	const record = recordNamed(item);
	await item.waitFor(item.lockRecord(record));
	// A tag that the search does not match is only found among all tags.
	const existing = await find(item, all);
	if (existing) return await update(item, existing);
	const key = item.keyOf(record);
	const earlier = planned.get(key);
	const { body = {} } = item.request;
	if (!earlier) {
		requireForCreate(item);
		await requireFreeName(item, body.name);
	}
	planned.set(key, { ...earlier, ...body });
	if (!earlier) return preview(item, planOfUnread(item));
	// An earlier item would create the record, so this one would update it.
	if (item.input.values.ifExists === 'keep')
		return preview(item, planOfNothing({}, namesIn(body, item)));
	const set = item.run.prepared.bodyFields.filter(({ sentAs }) => sentAs in item.input.body);
	return preview(item, { ...planOfUpdate(item, earlier, body, set, earlier), identifiers: {} });
}

/** The name as a record to lock, because a record without an ID may be created. */
function recordNamed(item: Item) {
	const { kind, isTag, name } = namedBy(item);
	return { kind: `${kind} named`, id: foldName(name, isTag) };
}

type FindAll = () => Promise<Listed>;

/** What is created or updated, by its name. */
function namedBy({ run, input: { values } }: Item) {
	const { strategy } = run.prepared.operation;
	const isTag = strategy?.name === 'upsert' && strategy.kind === 'tag';
	const name = String(isTag ? values.name : values.boardName);
	return { kind: isTag ? ('tag' as const) : ('board' as const), isTag, name };
}

async function send(item: Item, all: FindAll): Promise<IDataObject> {
	const { kind, isTag } = namedBy(item);
	// The lists of the run may be older than another client's create.
	const allNow = async () => await Listed.load(item, kind);
	// Both locks are requested now, in item order. An item whose record exists releases the lock for creates.
	const nameLock = item.lockRecord(recordNamed(item));
	const createLock = item.lockCreates();
	await item.waitFor(nameLock);
	const before = await createdBefore(item);
	if (before) return created(item, before);
	const wasLost = lostAt(item) !== undefined;
	const existing = await find(item, isTag && !item.skipsUnchanged ? undefined : all);
	if (existing) {
		createLock.release();
		return await updateFound(item, existing, wasLost);
	}
	await item.waitFor(createLock);
	// Names of boards are not unique, so a board that was created since the listing must not be created again.
	const madeSince = isTag ? undefined : await find(item, allNow);
	if (madeSince) return await updateFound(item, madeSince, wasLost);
	requireForCreate(item);
	const answer = await createOnce(item).catch(failureIfMayExist);
	if (!(answer instanceof Failure)) return created(item, answer);
	const isLost = answer.details.isUncertain === true;
	const found = await find(item, allNow).catch((failure: unknown) => {
		// That the create may have been carried out matters more than why the record cannot be looked up.
		throw isLost && failure instanceof Failure ? answer : failure;
	});
	if (!found) throw answer;
	return await updateFound(item, found, isLost);
}

function failureIfMayExist(error: unknown): Failure {
	const isTaken = error instanceof Failure && error.details.httpCode === 409;
	if (error instanceof Failure && (isTaken || error.details.isUncertain)) return error;
	throw error;
}

async function find(item: Item, all?: FindAll): Promise<IDataObject | undefined> {
	const { isTag, name } = namedBy(item);
	const found = isTag ? await searched(item, name) : undefined;
	return found ?? (await all?.())?.only(name);
}

// The search matches parts of the stored name. How the API derives it is not documented, in particular for spaces and
// accents. Plain letters stay (docs/decisions.md, A13).
async function searched(item: Item, name: string): Promise<IDataObject | undefined> {
	const folded = foldName(name, true);
	const [q = folded] = (folded.match(/[a-z\d]+/g) ?? []).sort((a, b) => b.length - a.length);
	for await (const { records } of pages(item, { path: '/tags/search', qs: { q } }, tagSummary)) {
		const found = records.filter((each) =>
			NAMED.tag.nameFields.some((field) => isSameName(each[field], name, true)),
		);
		// If there are several, the API refuses a create. Then all tags are searched.
		if (found.length === 1) return found[0];
	}
	return undefined;
}

// A default instead of a blank cell could open a board to everyone.
function requireForCreate({ input, run }: Item): void {
	const empty = run.prepared.bodyFields.find(
		({ label, requiredInUpdate }) => requiredInUpdate && input.withoutValue.includes(label),
	);
	if (empty) throw badValue(empty.label, 'is empty', 'Enter a value for the new board.');
}

function created(item: Item, answer: HttpAnswer): IDataObject {
	const { kind, isTag, name } = namedBy(item);
	const { nameFields } = NAMED[kind];
	// If a field is not in the answer, the sent value counts.
	const stored = Object.assign({}, item.request.body, isRecord(answer.body) && answer.body);
	const names = nameFields.map((field) => stored[field]).filter(Boolean);
	if (names.length > 0 && !names.some((each) => isSameName(each, name, isTag))) {
		item.run.notes.add(
			'hint',
			`The API changed a name when it saved the record (see '${nameFields[0]}'). Use the saved name from now on, or the next run will create the record again.`,
		);
	}
	return withCreated(item, markSent(item, shapeAnswer(answer, item)), true);
}

/** Updates a record. If the answer to its create was lost, it counts as created by the item. */
async function updateFound(item: Item, found: IDataObject, wasLost: boolean) {
	// Another client may have created it, so only the update will be certain.
	if (wasLost && !item.hasChanged) item.done = 'unknown';
	return withCreated(item, await update(item, found), wasLost);
}

function withCreated(item: Item, { changed, ...record }: IDataObject, isNew: boolean): IDataObject {
	if (isNew) item.run.notes.add('created');
	// What was created counts as changed.
	return { ...record, created: isNew, ...(changed !== undefined && { changed: isNew || changed }) };
}

/** Replaces a record that exists, or returns it as it is, with "Keep". */
async function update(item: Item, found: IDataObject): Promise<IDataObject> {
	const { kind, name } = namedBy(item);
	const { type, path: list, nameFields } = NAMED[kind];
	const id = identifierOf(found, type);
	if (id === undefined) {
		throw new Failure(
			`The API did not return the ID of this ${kind}`,
			`Ask an admin of your community to let the owner of the API key see the IDs of ${kind}s.`,
		);
	}
	const { run, request, input } = item;
	const path = `${list}/${encodeURIComponent(id)}`;
	const expects = { record: run.prepared.operation.record as RecordType, id };
	const idShown = { [type.idField]: toNumberIfExact(id) };
	if (input.values.ifExists === 'keep') {
		const record = item.isDryRun ? undefined : await item.fetch(expects, { path });
		if (item.done === 'none') run.notes.add('existing');
		if (!record) return preview(item, planOfNothing(idShown, { [nameFields[0]]: name }));
		const shaped = recordShaper(item)(record);
		return item.skipsUnchanged ? { ...shaped, changed: false } : shaped;
	}
	await item.waitFor(item.lockRecord({ kind: `${kind}s`, id }));
	const body = { ...input.body };
	// An existing name keeps its spelling.
	for (const field of nameFields) delete body[field];
	const { labels, identifiers } = request;
	const put = { method: 'PUT', effect: 'sets', path, expects, body, labels, identifiers } as const;
	const { changes, dry_run, ...row } = await replaceRecord(item, put, true);
	if (item.isDryRun) return { ...row, ...idShown, dry_run, changes };
	// A server may only acknowledge.
	return { ...idShown, ...row };
}
