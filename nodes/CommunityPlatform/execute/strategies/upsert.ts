import type { IDataObject } from 'n8n-workflow';
import { foldName, isSameName } from '../../../shared/text';
import { tagSummary, type RecordType } from '../../../shared/records/types';
import { pages } from '../../../shared/pagination';
import { NAMED, identifierOf } from '../../../shared/records/identity';
import { Failure } from '../../../shared/failure';
import { isRecord, type ApiRequest, type HttpAnswer } from '../../../shared/transport';
import { toNumberIfExact } from '../../input/identifiers';
import { badValue } from '../../../shared/values';
import { createOnce, createdBefore, lostAt } from '../attempts';
import type { Item } from '../item';
import { recordShaper, shapeAnswer } from '../shape';
import { Directory } from '../directory';
import { markSent, planOfUnread, preview } from '../plan';
import { replaceRecord } from './replace';

/**
 * Create or Update: looks for the board or the tag by its name, then replaces or creates it. If the API refuses a
 * create because of the name (409) or sends no answer, all records are searched. Another client may have been faster,
 * or the search may not match the stored name. `created` tells which.
 */
export async function upsert(item: Item, kind: 'board' | 'tag'): Promise<IDataObject[]> {
	const sending = new Upsert(item, kind);
	return [item.isDryRun ? await sending.plan() : await sending.send()];
}

/** The create or the update of one item. */
class Upsert {
	private readonly isTag: boolean;
	private readonly name: string;
	private readonly folded: string;

	constructor(
		private readonly item: Item,
		private readonly kind: 'board' | 'tag',
	) {
		const { name, boardName } = item.input.values;
		this.isTag = kind === 'tag';
		this.name = String(this.isTag ? name : boardName);
		this.folded = foldName(this.name, this.isTag);
	}

	async plan(): Promise<IDataObject> {
		// A tag that the search does not match is only found among all tags.
		const existing = await this.find(this.item.directory);
		if (existing) return await this.update(existing);
		this.requireForCreate();
		return preview(this.item, planOfUnread(this.item));
	}

	async send(): Promise<IDataObject> {
		const { item, kind, isTag } = this;
		// Both locks are requested now, in item order. An item whose record exists releases the lock for creates.
		const nameLock = item.lockRecord({ kind: `${kind} named`, id: this.folded });
		const createLock = item.lockCreates();
		await item.waitFor(nameLock);
		const before = await createdBefore(item);
		if (before) return this.created(before);
		const wasLost = lostAt(item) !== undefined;
		const existing = await this.find(isTag && !item.skipsUnchanged ? undefined : item.directory);
		if (existing) {
			createLock.release();
			return await this.updateFound(existing, wasLost);
		}
		await item.waitFor(createLock);
		// Names of boards are not unique, so a board that was created since the listing must not be created again.
		const madeSince = isTag ? undefined : await this.find(this.directoryOfNow());
		if (madeSince) return await this.updateFound(madeSince, wasLost);
		this.requireForCreate();
		const answer = await createOnce(item).catch(failureIfMayExist);
		return answer instanceof Failure ? await this.updateExisting(answer) : this.created(answer);
	}

	/** Updates the record that exists, or may have been created, although the create failed. */
	private async updateExisting(refusal: Failure): Promise<IDataObject> {
		const isLost = refusal.details.isUncertain === true;
		const found = await this.find(this.directoryOfNow()).catch((failure: unknown) => {
			// That the create may have been carried out matters more than why the record cannot be looked up.
			throw isLost && failure instanceof Failure ? refusal : failure;
		});
		if (!found) throw refusal;
		return await this.updateFound(found, isLost);
	}

	/** Updates a record. If it was created by a request whose answer was lost, the item has changed already. */
	private async updateFound(found: IDataObject, created: boolean): Promise<IDataObject> {
		this.item.hasChanged ||= created;
		return this.withCreated(await this.update(found), created);
	}

	// A default instead of a blank cell could open a board to everyone.
	private requireForCreate(): void {
		const { input, run } = this.item;
		const empty = run.prepared.bodyFields.find(
			({ label, requiredInUpdate }) => requiredInUpdate && input.gaveNothing.includes(label),
		);
		if (empty) throw badValue(empty.label, 'is empty', 'Enter a value for the new board.');
	}

	private created(answer: HttpAnswer): IDataObject {
		const { item, kind, isTag } = this;
		const { nameFields } = NAMED[kind];
		// If a field is not in the answer, the sent value counts.
		const stored = Object.assign({}, item.request.body, isRecord(answer.body) && answer.body);
		const names = nameFields.map((field) => stored[field]).filter(Boolean);
		if (names.length > 0 && !names.some((each) => isSameName(each, this.name, isTag))) {
			item.run.summary.ofOperation.add(
				`The API changed a name when it saved the record (see '${nameFields[0]}'). Use the saved name from now on, or the next run will create the record again.`,
			);
		}
		return this.withCreated(markSent(item, shapeAnswer(answer, item)), true);
	}

	private withCreated({ changed, ...record }: IDataObject, created: boolean): IDataObject {
		if (created) this.item.run.summary.created++;
		// What was created counts as changed.
		return {
			...record,
			created,
			...(changed === undefined ? {} : { changed: created || changed }),
		};
	}

	private async find(directory?: Directory): Promise<IDataObject | undefined> {
		const found = this.isTag ? await this.searched() : undefined;
		return found ?? (await directory?.only(this.kind, this.name));
	}

	// The lists of the run may be older than another client's create.
	private directoryOfNow(): Directory {
		return new Directory(this.item, this.item.directory.members);
	}

	// The search matches parts of the stored name. How the API derives it is not documented, in particular for spaces and
	// accents. Plain letters stay (docs/decisions.md, A13).
	private async searched(): Promise<IDataObject | undefined> {
		const { item, name } = this;
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

	private async update(found: IDataObject): Promise<IDataObject> {
		const { item, kind } = this;
		const { type } = NAMED[kind];
		const id = identifierOf(found, type);
		if (id === undefined) {
			throw new Failure(
				`The API did not return the ID of this ${kind}`,
				`Ask an admin of your community to let the owner of the API key see the IDs of ${kind}s.`,
			);
		}
		if (item.input.values.ifExists === 'keep') return await this.keep(id);
		await item.waitFor(item.lockRecord({ kind: `${kind}s`, id }));
		const { labels, identifiers } = item.request;
		// An existing name keeps its spelling.
		const body = { ...item.input.body };
		for (const field of ['name', 'board_name']) delete body[field];
		const request: ApiRequest = {
			method: 'PUT',
			...this.oneWith(id),
			body,
			labels,
			identifiers,
		};
		// A server may only acknowledge.
		return { [type.idField]: toNumberIfExact(id), ...(await replaceRecord(item, request, true)) };
	}

	private async keep(id: string): Promise<IDataObject> {
		const { item, name, kind } = this;
		const { type, nameFields } = NAMED[kind];
		const { path, expects } = this.oneWith(id);
		item.run.summary.existing++;
		if (!item.isDryRun) {
			const record = recordShaper(item)(await item.fetch(expects, { path }));
			return item.skipsUnchanged ? { ...record, changed: false } : record;
		}
		const identifiers = { [type.idField]: toNumberIfExact(id), [nameFields[0]]: name };
		return preview(item, { action: 'none', identifiers, changes: {}, notReturned: [] });
	}

	private oneWith(id: string) {
		const path = `${NAMED[this.kind].path}/${encodeURIComponent(id)}`;
		const record = this.item.run.prepared.operation.record as RecordType;
		return { path, expects: { record, id } };
	}
}

function failureIfMayExist(error: unknown): Failure {
	const isTaken = error instanceof Failure && error.details.httpCode === 409;
	if (error instanceof Failure && (isTaken || error.details.isUncertain)) return error;
	throw error;
}
