import { sleep, type IDataObject } from 'n8n-workflow';
import { Failure, firstOf, isGone } from '../../shared/failure';
import { trimmed } from '../../shared/text';
import { Cancelled, type HttpAnswer } from '../../shared/transport';
import type { Item, Records } from '../run/item';
import { planOfUnread, preview } from '../run/plan';
import { shapeAnswer } from '../run/shape';
import { mayLeaveOut } from '../run/tries';

/** How many members one request changes at most. */
const MAX_MEMBERS = 100;
// Statuses that refuse any request, not only one with these members.
const OF_ANY_REQUEST = [401, 407, 429];

/**
 * Sends the rows of a run for one board together, in their order. If the API refuses several rows, each one is sent
 * separately, so that it has its own outcome.
 */
export async function updateMembers(item: Item): Promise<Records> {
	const { community, input, request, run } = item;
	const id = String(input.values.boardId);
	const { board_name = null, is_private: isPrivate } =
		(await community.known('board'))?.record(id) ?? {};
	const named = community.hasListed('board') ? { board_name } : {};
	if (isPrivate === false) run.notes.add('openBoard', trimmed(board_name) || id);
	if (item.isDryRun) {
		// The one change that cannot be compared, because no answer shows who may use a board.
		run.notes.add('hint', 'The API does not say who is on a board, so all are listed.');
		const plan = planOfUnread(item);
		const [names, ids] = board_name ? [named, {}] : [{}, named];
		const identifiers = { ...plan.identifiers, ...ids };
		const row = preview(item, { ...plan, names, identifiers, unknown: [] });
		return [{ ...row, change: accessInWords(item) }];
	}
	const rows = community.once.get(request.path, () => new Rows());
	const answer = await rows.answerTo(item);
	return answer ? [{ ...named, ...shapeAnswer(answer, item) }] : [];
}

/** A change of access, e.g. "access: add ada_l, remove alan_t". */
function accessInWords({ run, input, community }: Item): string {
	const { added = [], removed = [] } = run.prepared.operation.acknowledged?.values?.(input) ?? {};
	const nameOf = (msid: string) => String(community.people.seen(msid).record?.username ?? msid);
	const parts = Object.entries({ add: added as string[], remove: removed as string[] })
		.filter(([, msids]) => msids.length > 0)
		.map(([access, msids]) => `${access} ${firstOf(msids.map(nameOf))}`);
	return `access: ${parts.join(', ')}`;
}

function memberChangesOf({ request }: Item): IDataObject {
	return request.body?.member_changes as IDataObject;
}

type Outcome = PromiseSettledResult<HttpAnswer | undefined>;

/** The rows of a run for one board. */
class Rows {
	/** Those whose turn has come, in their order, until they are sent. */
	private readonly waiting: Item[] = [];
	private readonly outcomes = new Map<Item, Outcome>();
	private sending = Promise.resolve();

	/** Returns the answer for a row, undefined if it is left out. Throws what its request threw; Cancelled if the run ended before it was sent. */
	async answerTo(item: Item): Promise<HttpAnswer | undefined> {
		this.waiting.push(item);
		this.sending = this.sending.then(async () => await this.sendFrom(item));
		await this.sending;
		const outcome = this.outcomes.get(item);
		if (outcome?.status === 'fulfilled') return outcome.value;
		throw outcome?.reason ?? new Cancelled();
	}

	/** Sends a row, and those that wait behind it, unless it went along with an earlier one. Never rejects. */
	private async sendFrom(first: Item): Promise<void> {
		if (this.waiting[0] !== first) return;
		// Until no other row joins them.
		for (let before = 0; this.waiting.length > before; await sleep(0)) before = this.waiting.length;
		const [lock] = await Promise.allSettled([first.waitFor(first.lockRecord())]);
		if (lock.status === 'rejected') return;
		const rows = this.takeRows();
		const together = rows.length > 1 ? await sendTogether(rows) : undefined;
		if (!together || isRefused(together)) return await this.sendEach(rows);
		for (const item of rows) {
			item.done = first.done;
			this.outcomes.set(item, together);
		}
	}

	private takeRows(): Item[] {
		let members = 0;
		const isMore = (item: Item) =>
			(members += Object.keys(memberChangesOf(item)).length) > MAX_MEMBERS;
		const end = this.waiting.findIndex((item, at) => isMore(item) && at > 0);
		return this.waiting.splice(0, end < 0 ? this.waiting.length : end);
	}

	private async sendEach(rows: Item[]): Promise<void> {
		for (const item of rows) {
			const [outcome] = await Promise.allSettled([sendFound(item)]);
			this.outcomes.set(item, outcome);
			if (outcome.status === 'rejected' && !item.run.isContinuing) return;
		}
	}
}

async function sendTogether(rows: Item[]): Promise<Outcome> {
	const [first] = rows;
	const changes = Object.assign({}, ...rows.map(memberChangesOf)) as IDataObject;
	const [together] = await Promise.allSettled([sendChanges(first, changes)]);
	return together;
}

/** Sends changes of members, at most so many in a request. Returns the last answer. */
async function sendChanges(item: Item, changes: IDataObject): Promise<HttpAnswer> {
	const { request } = item;
	const all = Object.entries(changes);
	for (;;) {
		const body = { member_changes: Object.fromEntries(all.splice(0, MAX_MEMBERS)) };
		const answer = await item.send({ ...request, body: { ...request.body, ...body } });
		if (all.length === 0) return answer;
	}
}

/**
 * Sends a row, and sends it again without the members that the API does not have, if these are left out. Returns undefined
 * if no member is left.
 */
async function sendFound(item: Item): Promise<HttpAnswer | undefined> {
	const { run, input } = item;
	const changes = memberChangesOf(item);
	return await sendChanges(item, changes).catch(async (error: unknown) => {
		if (input.values.ifNotFound !== 'leaveOut' || !isGone(error)) throw error;
		const msids = Object.keys(changes);
		const missing = await Promise.all(msids.map(async (msid) => await item.isMissing(msid)));
		const isNoMemberLeft = !missing.includes(false);
		if (!missing.includes(true) || (isNoMemberLeft && !mayLeaveOut(item))) throw error;
		for (const msid of msids.filter((_, at) => missing[at])) {
			run.notes.add('notFound', msid);
			delete changes[msid];
		}
		return isNoMemberLeft ? undefined : await sendChanges(item, changes);
	});
}

/** Whether the API refused what is in a request, such as an unknown member, and not the key or the pace. */
function isRefused(outcome: Outcome): boolean {
	if (outcome.status === 'fulfilled' || !(outcome.reason instanceof Failure)) return false;
	const { httpCode = 0, isUncertain } = outcome.reason.details;
	return !isUncertain && httpCode >= 400 && httpCode < 500 && !OF_ANY_REQUEST.includes(httpCode);
}
