import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../../shared/failure';
import { toTime } from '../../../shared/text';
import { userDetailWithEmail } from '../../../shared/records/types';
import { createOnce, createdBefore, lostAt } from '../attempts';
import type { Item } from '../item';
import { memberIn, planOfUnread, preview } from '../plan';
import { recordShaper, shapeAnswer } from '../shape';

// The clocks of n8n and of the community differ by at most so much.
const CLOCKS_DIFFER_MS = 10 * 60_000;

// The statuses with which an API refuses a record that already exists.
const MAY_EXIST = [400, 409, 422];

/**
 * Create or Get: returns the member who had the email address when last seen, and still has it. Otherwise it creates
 * one and, if the API refuses, looks for the address. The create comes before a search through all members, because
 * most are new and a search takes many requests. `created` tells which.
 */
export async function createOrGet(item: Item): Promise<IDataObject[]> {
	if (item.isDryRun) return [await planned(item)];
	await item.waitFor(item.lockCreates());
	const before = await createdBefore(item);
	if (before) return [{ ...shapeAnswer(before, item), created: true }];
	const sentAt = lostAt(item);
	const isLost = sentAt !== undefined;
	const msidSeen = isLost
		? await find(item).catch(ignoreNobody)
		: await item.directory.members.msidRecalled('email', String(item.input.values.email));
	if (msidSeen !== undefined) {
		const record = await fetched(item, msidSeen);
		const created = isLost && isCreatedSince(record, sentAt - CLOCKS_DIFFER_MS);
		return [found(item, record, created)];
	}
	const answer = await createOnce(item).catch(failureIfExists);
	if (!(answer instanceof Failure)) return [{ ...shapeAnswer(answer, item), created: true }];
	const msid = await find(item).catch((error: unknown) => {
		if (!(error instanceof Failure)) throw error;
		throw answer.with({ advice: `${answer.advice} ${error.message}.` });
	});
	return [found(item, await fetched(item, msid), false)];
}

/** The item of a member who exists, perhaps because of a create whose answer was lost. */
function found(item: Item, record: IDataObject, created: boolean): IDataObject {
	item.hasChanged ||= created;
	if (!created) item.run.summary.existing++;
	return { ...recordShaper(item)(record), created };
}

function isCreatedSince({ created_at: at }: IDataObject, time: number): boolean {
	return toTime(at) >= time;
}

function failureIfExists(error: unknown): Failure {
	if (error instanceof Failure && MAY_EXIST.includes(error.details.httpCode ?? 0)) return error;
	throw error;
}

async function planned(item: Item): Promise<IDataObject> {
	const msid = await find(item).catch(ignoreNobody);
	if (msid === undefined) return preview(item, planOfUnread(item));
	const identifiers = { msid, ...memberIn(await fetched(item, msid)) };
	return preview(item, { action: 'none', identifiers, changes: {}, notReturned: [] });
}

async function find({ directory, input: { values, labels } }: Item): Promise<string> {
	return await directory.members.msidNamed('email', String(values.email), labels.email);
}

function ignoreNobody(error: unknown): undefined {
	if (!(error instanceof Failure && error.details.notFound)) throw error;
}

async function fetched(item: Item, msid: string): Promise<IDataObject> {
	const before = item.directory.members.read(msid);
	if (before) return before;
	const expects = { record: userDetailWithEmail, id: msid };
	return await item.fetch(expects, { path: `/users/${encodeURIComponent(msid)}` });
}
