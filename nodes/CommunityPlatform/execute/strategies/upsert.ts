import type { IDataObject } from 'n8n-workflow';
import { foldName, isSameName } from '../../../shared/text';
import { NAMED } from '../../../shared/records/named';
import { tagSummary, type RecordType } from '../../../shared/records/types';
import { pages } from '../../../shared/pagination';
import { identifierOf } from '../../../shared/records/identity';
import { Failure } from '../../../shared/failure';
import { isRecord, type HttpAnswer } from '../../../shared/transport';
import type { Operation } from '../../actions/operation';
import { toNumberIfExact } from '../../input/identifiers';
import { badValue } from '../../input/values';
import { createOnce, createdBefore, wasLost } from '../creates';
import type { Item, Strategy } from '../item';
import { shapeAnswer } from '../shape';
import { Directory } from '../directory';
import { markSent, planOfUnread, preview } from '../plan';
import { replaceRecord } from './replace';

/**
 * Create or Update: looks for the board or the tag by its name, then replaces or creates it. After a create that the API
 * refused because of the name (409), or that got no answer, all are looked through: another client was faster, or the
 * stored name is spelled in a way that the search did not match. `created` says what happened.
 */
export const upsert: Strategy = {
	async send(item) {
		const { kind, folded } = wantedBy(item);
		// Both locks are requested now, in item order; an item whose record exists releases the lock for creates.
		const nameLock = item.lockRecord({ kind: `${kind} named`, id: folded });
		const createLock = item.lockCreates();
		await item.waitFor(nameLock);
		const before = item.isDryRun ? undefined : await createdBefore(item);
		if (before) return [created(item, before)];
		// A tag that the search does not match is only found among all tags.
		const isListed = kind === 'board' || item.needsRecord;
		const known = await find(item, isListed ? item.directory : undefined);
		if (known) {
			createLock.release();
			return [await update(item, known, wasLost(item))];
		}
		if (!item.isDryRun) await item.waitFor(createLock);
		// Names of boards are not unique: one that was made since they were listed must not be made again.
		const isUnsure = kind === 'board' && !item.isDryRun;
		const madeSince = isUnsure ? await find(item, directoryOfNow(item)) : undefined;
		if (madeSince) return [await update(item, madeSince, wasLost(item))];
		requireForCreate(item);
		if (item.isDryRun) return [preview(item, planOfUnread(item))];
		const answer = await createOnce(item).catch(unlessMayExist);
		if (!(answer instanceof Failure)) return [created(item, answer)];
		const isLost = answer.details.isUncertain === true;
		const found = await find(item, directoryOfNow(item)).catch((failure: unknown) => {
			// That the create may have been carried out matters more than why the record cannot be looked up.
			throw isLost && failure instanceof Failure ? answer : failure;
		});
		if (!found) throw answer;
		item.hasChanged ||= isLost;
		return [await update(item, found, isLost)];
	},
};

function wantedBy({ run, input: { values }, directory }: Item) {
	const kind = run.task.operation.upsertOf as NonNullable<Operation['upsertOf']>;
	const given = String(kind === 'tag' ? values.name : values.boardName);
	const folded = foldName(given, kind === 'tag');
	return { kind, folded, name: directory.storedNames.get(folded) ?? given };
}

// A default in place of a blank cell could open a board to everybody.
function requireForCreate({ input: { gaveNothing }, run }: Item): void {
	const empty = run.task.bodyFields.find(
		({ label, requiredInUpdate }) => requiredInUpdate && gaveNothing.includes(label),
	);
	if (empty) throw badValue(empty.label, 'is empty for a new board', 'Enter a value for it.');
}

const SEEN_BY: Record<string, string | undefined> = {
	0: 'everybody, guests too',
	1: 'every member who is logged in',
	2: 'only users who are part of it',
};

function created(item: Item, answer: HttpAnswer): IDataObject {
	const { kind, folded, name } = wantedBy(item);
	const { ofOperation } = item.run.summary;
	// What the answer does not show is as it was sent.
	const stored = Object.assign({}, item.request.body, isRecord(answer.body) && answer.body);
	const names = NAMED[kind].nameFields.map((field) => stored[field]).filter(Boolean);
	if (names.length > 0 && !names.some((each) => isSameName(each, name, kind === 'tag'))) {
		item.directory.storedNames.set(folded, String(names[0]));
		ofOperation.add(
			`The API stored a name otherwise than it was given: see ${NAMED[kind].nameFields[0]}. Give it as it is stored, or the next run creates it again.`,
		);
	}
	const who = SEEN_BY[String(stored.hidden_type)] ?? 'those whom hidden_type names';
	if (kind === 'board') {
		ofOperation.add(`A board was created. It can be seen by ${who}: see 'Visible To'.`);
	}
	return withCreated(markSent(item, shapeAnswer(answer, item)), true);
}

function unlessMayExist(error: unknown): Failure {
	const isTaken = error instanceof Failure && error.details.httpCode === 409;
	if (error instanceof Failure && (isTaken || error.details.isUncertain)) return error;
	throw error;
}

async function find(item: Item, directory?: Directory): Promise<IDataObject | undefined> {
	const { kind, name } = wantedBy(item);
	const found = kind === 'tag' ? await searched(item, name) : undefined;
	return found ?? (await directory?.only(kind, name));
}

// Those of the run may have been listed before another client's create.
function directoryOfNow(item: Item): Directory {
	return new Directory(item, item.directory.members);
}

// The search matches parts of the stored name. How that is derived is not documented, in particular of spaces and
// accents; plain letters stay (docs/decisions.md, A13).
async function searched(item: Item, name: string): Promise<IDataObject | undefined> {
	const folded = foldName(name, true);
	const [q = folded] = (folded.match(/[a-z\d]+/g) ?? []).sort((a, b) => b.length - a.length);
	for await (const { records } of pages(item, { path: '/tags/search', qs: { q } }, tagSummary)) {
		const found = records.filter((each) =>
			NAMED.tag.nameFields.some((field) => isSameName(each[field], name, true)),
		);
		// Several: the API refuses a create, and then all tags tell which.
		if (found.length === 1) return found[0];
	}
	return undefined;
}

async function update(item: Item, found: IDataObject, isCreated: boolean): Promise<IDataObject> {
	const { kind } = wantedBy(item);
	const record = item.run.task.operation.record as RecordType;
	const id = identifierOf(found, NAMED[kind].type);
	if (id === undefined) {
		throw new Failure(
			`The API found the ${kind}, but did not show its identifier`,
			`Check that the owner of the API key may view ${kind}s.`,
		);
	}
	const path = `${NAMED[kind].path}/${encodeURIComponent(id)}`;
	await item.waitFor(item.lockRecord({ kind: `${kind}s`, id }));
	const { labels, identifiers } = item.request;
	// An existing name keeps its spelling.
	const body = { ...item.input.body };
	for (const field of ['name', 'board_name']) delete body[field];
	const expects = { record, id };
	const request = { method: 'PUT', path, expects, body, labels, identifiers } as const;
	const shownId = { [NAMED[kind].type.idField]: toNumberIfExact(id) };
	// A server may only acknowledge.
	const done = { ...shownId, ...(await replaceRecord(item, request, true)) };
	if (item.isDryRun) return done;
	return withCreated(done, isCreated);
}

function withCreated({ changed, ...record }: IDataObject, created: boolean): IDataObject {
	// What was created counts as changed.
	return { ...record, created, ...(changed === undefined ? {} : { changed: created || changed }) };
}
