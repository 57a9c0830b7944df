import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../shared/failure';
import { userDetailWithEmail } from '../../shared/records/types';
import { toTime } from '../../shared/text';
import { createOnce, createdBefore, lostAt } from '../run/tries';
import { nameKey } from '../input/identifiers';
import type { Item, Records } from '../run/item';
import { namesIn, planOfNothing, planOfUnread, preview } from '../run/plan';
import { recordShaper, shapeAnswer } from '../run/shape';

// The clocks of n8n and of the community differ by at most so much.
const CLOCKS_DIFFER_MS = 10 * 60_000;

// The statuses with which an API refuses a record that already exists.
const MAY_EXIST = [400, 409, 422];

/**
 * Create or Get: returns the member who had the email address when last seen, and still has it. Otherwise it creates
 * one and, if the API refuses, looks for the address. The create comes before a search through all members, because
 * most are new and a search takes many requests. `created` tells which.
 */
export async function createOrGet(item: Item): Promise<Records> {
	await item.waitFor(item.lockCreates());
	if (item.isDryRun) return [await plan(item)];
	const before = await createdBefore(item);
	if (before) return [{ ...shapeAnswer(before, item), created: true }];
	const sentAt = lostAt(item);
	const { people } = item.community;
	const msidSeen =
		sentAt === undefined
			? await people.msidRecalled('email', String(item.input.values.email))
			: await find(item).catch(ignoreNotFound);
	if (msidSeen !== undefined) return [await found(item, msidSeen, sentAt)];
	const answer = await createOnce(item).catch(failureIfExists);
	if (!(answer instanceof Failure)) return [{ ...shapeAnswer(answer, item), created: true }];
	const msid = await find(item).catch((error: unknown) => {
		if (!(error instanceof Failure)) throw error;
		throw answer.with({ advice: `${answer.advice} ${error.message}.` });
	});
	return [await found(item, msid)];
}

/** The item of a member who exists, perhaps because of a create whose answer was lost. */
async function found(item: Item, msid: string, lostSince?: number): Promise<IDataObject> {
	const record = await fetched(item, msid);
	const since = lostSince === undefined ? Infinity : lostSince - CLOCKS_DIFFER_MS;
	const created = toTime(record.created_at) >= since;
	if (created) item.done = 'made';
	else item.run.notes.add('existing');
	return { ...recordShaper(item)(record), created };
}

function failureIfExists(error: unknown): Failure {
	if (error instanceof Failure && MAY_EXIST.includes(error.details.httpCode ?? 0)) return error;
	throw error;
}

async function plan(item: Item): Promise<IDataObject> {
	const { planned } = item.community;
	const key = item.keyOf({ kind: 'new', id: nameKey('email', item.input.values.email) });
	const msid = await find(item).catch(ignoreNotFound);
	if (msid !== undefined)
		return preview(item, planOfNothing({ msid }, namesIn(await fetched(item, msid), item)));
	const earlier = planned.get(key);
	// An earlier item would create the same member.
	if (earlier) return preview(item, planOfNothing({}, namesIn(earlier, item)));
	planned.set(key, item.input.body);
	return preview(item, planOfUnread(item));
}

async function find({ community, input: { values, labels } }: Item): Promise<string> {
	return await community.people.msidNamed('email', String(values.email), labels.email);
}

function ignoreNotFound(error: unknown): undefined {
	if (!(error instanceof Failure && error.details.notFound)) throw error;
}

async function fetched(item: Item, msid: string): Promise<IDataObject> {
	const before = item.community.people.read(msid);
	if (before) return before;
	const expects = { record: userDetailWithEmail, id: msid };
	return await item.fetch(expects, { path: `/users/${encodeURIComponent(msid)}` });
}
