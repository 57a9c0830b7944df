import { sleep, type IDataObject } from 'n8n-workflow';
import { Failure, firstOf, isGone } from '../../../shared/failure';
import { trimmed } from '../../../shared/text';
import { Cancelled, type HttpAnswer } from '../../../shared/transport';
import type { Item, Steps } from '../item';
import { planOfUnread, preview } from '../plan';
import { shapeAnswer } from '../shape';

/** How many members one request changes at most, unless a single row names more. */
const MAX_MEMBERS = 100;
// Statuses that refuse any request, not only one with these members.
const OF_ANY_REQUEST = [401, 407, 429];

/**
 * Sends the rows of a run for one board together, in their order. If the API refuses several rows, each one is sent
 * separately, so that it has its own outcome.
 */
export function updateMembers(): Steps {
	const boards = new Map<string, Board>();
	return {
		// A row that waits for its board uses no connection.
		atOnce: Infinity,

		async send(item) {
			const { api, directory, input, request, run } = item;
			const key = `${api.address} ${request.path}`;
			const id = String(input.values.boardId);
			const board = boards.get(key) ?? new Board(directory.ifListed('board', id));
			boards.set(key, board);
			const { board_name = null, is_private: isPrivate } = (await board.record) ?? {};
			const named = directory.hasListed('board') ? { board_name } : {};
			if (isPrivate === false) run.summary.openBoards.add(trimmed(board_name) || id);
			if (!item.isDryRun) return [{ ...named, ...shapeAnswer(await board.answerTo(item), item) }];
			// The one change that cannot be compared, because no answer shows who may use a board.
			const { board_id, ...row } = preview(item, planOfUnread(item));
			return [{ board_id, ...named, ...row, change: accessInWords(item) }];
		},
	};
}

/** A change of access, e.g. "access: add ada_l, remove alan_t". */
function accessInWords({ run, input, directory }: Item): string {
	const { added = [], removed = [] } = run.prepared.operation.acknowledged?.values?.(input) ?? {};
	const nameOf = (msid: string) => String(directory.members.seen(msid)?.username ?? msid);
	const parts = Object.entries({ add: added as string[], remove: removed as string[] })
		.filter(([, msids]) => msids.length > 0)
		.map(([access, msids]) => `${access} ${firstOf(msids.map(nameOf))}`);
	return `access: ${parts.join(', ')}`;
}

function memberChangesOf({ request }: Item): IDataObject {
	return request.body?.member_changes as IDataObject;
}

type RowOutcome = PromiseSettledResult<HttpAnswer>;

/** The rows of a run for one board. */
class Board {
	/** Those whose turn has come, in their order, until they are sent. */
	private readonly waiting: Item[] = [];
	private readonly outcomes = new Map<Item, RowOutcome>();
	private sending = Promise.resolve();

	/** @param record the board's record, if the boards were listed in this run */
	constructor(readonly record: Promise<IDataObject | undefined>) {}

	/** Returns the answer for a row. Throws what its request threw; Cancelled if the run ended before it was sent. */
	async answerTo(item: Item): Promise<HttpAnswer> {
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
		const together = rows.length > 1 ? await this.sendTogether(rows) : undefined;
		if (!together || isRefused(together)) return await this.sendEach(rows);
		const { hasChanged, mayHaveChanged } = first;
		for (const item of rows) {
			Object.assign(item, { hasChanged, mayHaveChanged });
			this.outcomes.set(item, together);
		}
	}

	private takeRows(): Item[] {
		let members = 0;
		const isMore = (item: Item) => {
			members += Object.keys(memberChangesOf(item)).length;
			return members > MAX_MEMBERS || item.api !== this.waiting[0].api;
		};
		const end = this.waiting.findIndex((item, at) => isMore(item) && at > 0);
		return this.waiting.splice(0, end < 0 ? this.waiting.length : end);
	}

	private async sendTogether(rows: Item[]): Promise<RowOutcome> {
		const [first] = rows;
		const body = { member_changes: Object.assign({}, ...rows.map(memberChangesOf)) as IDataObject };
		const [together] = await Promise.allSettled([first.send({ ...first.request, body })]);
		return together;
	}

	private async sendEach(rows: Item[]): Promise<void> {
		for (const item of rows) {
			const [outcome] = await Promise.allSettled([sendFound(item)]);
			this.outcomes.set(item, outcome);
			if (outcome.status === 'rejected' && !item.run.isContinuing) return;
		}
	}
}

/** Sends a row, and sends it again without the members that the API does not have, if these are left out. */
async function sendFound(item: Item): Promise<HttpAnswer> {
	const { run, input, request } = item;
	return await item.send(request).catch(async (error: unknown) => {
		if (input.values.ifNotFound !== 'leaveOut' || !isGone(error)) throw error;
		const changes = memberChangesOf(item);
		const msids = Object.keys(changes);
		const missing = await Promise.all(msids.map(async (msid) => await item.isMissing(msid)));
		if (!missing.includes(true)) throw error;
		for (const msid of msids.filter((_, at) => missing[at])) {
			run.summary.notFound.add(msid);
			delete changes[msid];
		}
		run.prepared.operation.check?.(input);
		return await item.send(request);
	});
}

/** Whether the API refused what is in a request, such as an unknown member, and not the key or the pace. */
function isRefused(outcome: RowOutcome): boolean {
	if (outcome.status === 'fulfilled' || !(outcome.reason instanceof Failure)) return false;
	const { httpCode = 0, isUncertain } = outcome.reason.details;
	return !isUncertain && httpCode >= 400 && httpCode < 500 && !OF_ANY_REQUEST.includes(httpCode);
}
