import type { IDataObject } from 'n8n-workflow';
import { Failure, firstOf, isGone } from '../../../shared/failure';
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
	const items: Item[] = [];
	let batches: Map<Item, Batch> | undefined;
	return {
		async prepare(item) {
			items.push(item);
		},

		async send(item) {
			// The one change that cannot be compared, because no answer shows who may use a board.
			if (item.isDryRun)
				return [{ ...preview(item, planOfUnread(item)), change: accessInWords(item) }];
			batches ??= batchesOf(items);
			return [shapeAnswer((await batches.get(item)?.answerTo(item)) ?? { body: {} }, item)];
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

function batchesOf(items: Item[]): Map<Item, Batch> {
	const batches = new Map<Item, Batch>();
	const last = new Map<string, Batch>();
	for (const item of [...items].sort((a, b) => a.index - b.index)) {
		const before = last.get(item.request.path);
		const batch = before?.takes(item) ? before : new Batch();
		batch.items.push(item);
		last.set(item.request.path, batch);
		batches.set(item, batch);
	}
	return batches;
}

function memberChangesOf({ request }: Item): IDataObject {
	return request.body?.member_changes as IDataObject;
}

type RowOutcome = PromiseSettledResult<HttpAnswer>;

/** Rows for one board that are sent together. */
class Batch {
	readonly items: Item[] = [];
	private readonly outcomes = new Map<Item, RowOutcome>();
	private sending?: Promise<void>;

	takes(item: Item): boolean {
		const counts = [...this.items, item].map((each) => Object.keys(memberChangesOf(each)).length);
		const members = counts.reduce((sum, each) => sum + each, 0);
		return this.items[0].api === item.api && members <= MAX_MEMBERS;
	}

	/** Returns the answer for a row. Throws what its request threw; Cancelled if the run ended before it was sent. */
	async answerTo(item: Item): Promise<HttpAnswer> {
		await (this.sending ??= this.send());
		const outcome = this.outcomes.get(item);
		if (outcome?.status === 'fulfilled') return outcome.value;
		throw outcome?.reason ?? new Cancelled();
	}

	private async send(): Promise<void> {
		const [first, ...others] = this.items;
		await first.waitFor(first.lockRecord());
		const together = others.length > 0 ? await this.sendTogether(first) : undefined;
		if (!together || isRefused(together)) return await this.sendEach();
		const { hasChanged, mayHaveChanged } = first;
		for (const item of this.items) {
			Object.assign(item, { hasChanged, mayHaveChanged });
			this.outcomes.set(item, together);
		}
	}

	private async sendTogether(first: Item): Promise<RowOutcome> {
		const body = {
			member_changes: Object.assign({}, ...this.items.map(memberChangesOf)) as IDataObject,
		};
		const [together] = await Promise.allSettled([first.send({ ...first.request, body })]);
		return together;
	}

	private async sendEach(): Promise<void> {
		for (const item of this.items) {
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
			run.summary.notFound.push(msid);
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
