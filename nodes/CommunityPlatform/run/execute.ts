import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { Failure, allOf, isGone, shortened } from '../../shared/failure';
import { fingerprint } from '../../shared/text';
import type { HttpSettings } from '../../shared/transport';
import {
	CREDENTIAL,
	DEFAULT_SETTINGS,
	batchingOf,
	logThrottling,
	toApi,
	toHttpSettings,
	toLogin,
} from '../../shared/transport';
import { isWriting } from '../actions/operation';
import { hasExpression } from '../input/entered';
import { NOT_FOUND, type Reference } from '../input/identifiers';
import { put, type Draft } from '../input/reading';
import { Community } from '../people/community';
import type { Names } from '../people/listed';
import { memoryOf } from '../people/memory';
import { checkInput, strategyOf } from '../strategies';
import { itemsOfHints } from '../tool/result';
import { Item, type Records } from './item';
import { hintsOf } from './notes';
import {
	EARLIER_TRY,
	changedBefore,
	doneFor,
	forgetChanges,
	mayLeaveOut,
	rememberChange,
} from './tries';
import { Output, itemOf } from './output';
import { dispatch, type Batching, type Pace } from '../../shared/async/pace';
import { Run } from './run';
import { noteRole, roleNamesFor } from './shape';

// n8n reads a credential from its database.
const OPENED_AT_ONCE = 20;

/** Carries out the operation of the node for all items. Both of n8n's engines call it once for a run. */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return [await new Execution(new Run(this)).all()];
}

/** The draft of an item, and how n8n wants its requests to be sent. */
interface Read extends Draft {
	http: HttpSettings;
	batching: Batching;
}

/** Thrown for an item without output, because the community has no such member or the item names none. */
class LeftOut extends Error {}

/** One execution of the node: from n8n's items to the items of the output. */
class Execution {
	private readonly output: Output;

	constructor(private readonly run: Run) {
		this.output = new Output(run);
	}

	/**
	 * Takes each step for all items before the next one begins. So invalid values are found before anything is sent, and
	 * unknown names before anything is changed.
	 */
	async all(): Promise<INodeExecutionData[]> {
		const { run } = this;
		const unfollow = run.cancellation.follow(run.functions.getExecutionCancelSignal());
		try {
			const indexes = [...Array(run.count).keys()];
			const read = await this.forEach(indexes, async (at) => this.read(at));
			const [first] = read.filter((item) => item !== undefined);
			const connect = async (item: Read, at: number) => await this.connect(item, at, first ?? item);
			const connected = await this.forEach(read, connect, { atOnce: OPENED_AT_ONCE });
			const found = await this.forEach(connected, async (item) => await this.find(item));
			const { batching } = first ?? {};
			await this.forEach(found, async (item) => await this.send(item), { batching });
			return await this.finish();
		} finally {
			unfollow();
		}
	}

	/** Takes a step for all items that are left. An item for which it throws has failed, or is left out. */
	private async forEach<From, To>(
		from: Array<From | undefined>,
		step: (item: From, at: number) => Promise<To>,
		pace?: Pace,
	): Promise<Array<To | undefined>> {
		const to: Array<To | undefined> = [];
		const one = async (at: number) => {
			const item = from[at];
			if (item === undefined) return;
			// A run may have more items than fit into memory together with their answers.
			from[at] = undefined;
			const sent = item instanceof Item ? item : undefined;
			try {
				to[at] = await step(item, at);
			} catch (error) {
				if (this.isLeftOut(error, sent)) this.output.add(at, []);
				else this.output.fail(at, this.withEarlierTry(error, at, sent));
			} finally {
				// After the failure, which may end the run before another item gets the lock.
				sent?.releaseLocks();
			}
		};
		await dispatch(from.length, this.run.cancellation, one, pace);
		return to;
	}

	/** Says that an earlier try of this execution has changed something for an item that has failed now. */
	private withEarlierTry(error: unknown, at: number, item?: Item): unknown {
		if (!(error instanceof Failure) || error.details.isUncertain || item?.done === 'made')
			return error;
		const done = doneFor(this.run, at);
		if (!done || error.advice.startsWith(EARLIER_TRY)) return error;
		const changed = done === 'made' ? 'already changed' : 'may have changed';
		return error.with({
			advice: `${EARLIER_TRY} ${changed} something for this item. ${error.advice}`,
		});
	}

	/** Reads the parameters. */
	private read(at: number): Read {
		const { run } = this;
		const { saved, isTool, functions } = run;
		const get = (name: string, fallback: unknown) => run.parameter(name, at, fallback);
		const timezone = functions.getTimezone();
		const draft = run.prepared.read({ get, saved, isTool, timezone });
		if (namesNoMember(draft)) {
			run.notes.add('emptyCell');
			throw new LeftOut();
		}
		if (draft.lookUps.length === 0) checkInput(run, draft.input);
		const requestOptions = get('requestOptions', {});
		const [http, batching] = [toHttpSettings(requestOptions), batchingOf(requestOptions)];
		return Object.assign(draft, { http, batching });
	}

	/** Opens the community of the item's credential, with the settings of the first item. */
	private async connect(draft: Read, at: number, { input, http }: Read): Promise<Item> {
		const { run } = this;
		const { functions, cancellation } = run;
		const credential = await functions.getCredentials(CREDENTIAL, at);
		const open = () => {
			const { maxRequestsAtOnce, maxRetries } = { ...DEFAULT_SETTINGS, ...input.values };
			const settings = { maxRequestsAtOnce, maxRetries };
			const api = toApi(functions, credential, cancellation, settings, http);
			const caller = `${api.address} ${fingerprint(toLogin(credential))}`;
			return new Community(api, memoryOf(caller));
		};
		return new Item(run, at, draft, run.communities.get(JSON.stringify(credential), open));
	}

	/** Finds the records that the item names. */
	private async find(item: Item): Promise<Item> {
		const { draft, input, community } = item;
		const idOf = async (reference: Reference) =>
			await community.find(reference).catch((error: unknown) => {
				if (!('isOfList' in reference) || !this.isLeftOut(error, item)) throw error;
				return NOT_FOUND;
			});
		const { lookUps } = draft;
		if (lookUps.length > 0) {
			const values = lookUps.map(async ({ parameter, lookUp }) =>
				put(input, parameter, await lookUp.value(idOf)),
			);
			await allOf(values);
			checkInput(this.run, input);
		}
		// An empty ID is refused before anything is sent.
		void item.request;
		item.roleNames = await roleNamesFor(item);
		return item;
	}

	/** Whether an item, or a member of a list, is left out because a search found no such member. Notes the member. */
	private isLeftOut(error: unknown, item?: Item): boolean {
		if (error instanceof LeftOut) return true;
		if (!(error instanceof Failure) || !item || !mayLeaveOut(item)) return false;
		const { notFound, query, suggestion } = error.details;
		if (notFound !== 'user') return false;
		if (query)
			this.run.notes.add('notFound', shortened(query) + (suggestion ? ` (${suggestion})` : ''));
		return true;
	}

	/** The same for a member who was named by ID. */
	private async isMissing(error: unknown, item: Item): Promise<boolean> {
		const { leavesOut, effect } = this.run.prepared.operation;
		if (!isGone(error) || leavesOut !== 'member' || !mayLeaveOut(item)) return false;
		const { userId } = item.input.values;
		// The request of an operation that reads was a read of this member.
		const isCertain = effect === 'reads' || (await item.isMissing(String(userId)));
		const name = item.memberName ?? String(userId);
		if (isCertain) this.run.notes.add('notFound', shortened(name));
		return isCertain;
	}

	private async send(item: Item): Promise<void> {
		const { notes, prepared } = this.run;
		const { index, input } = item;
		const records = await this.changedOrSent(item).catch(async (error: unknown) => {
			throw (await this.isMissing(error, item)) ? new LeftOut() : error;
		});
		const isOnlyChanged = input.values.onlyChanged === true;
		const returned = isOnlyChanged ? records.filter(isFailedOrChanged) : records;
		if (item.done !== 'none') notes.add('applied');
		this.output.add(index, returned);
		for (const each of prepared.operation.hints?.(input) ?? []) notes.add('hint', each);
		for (const each of input.withoutValue) notes.add('noValue', each);
	}

	/** Returns the records of an item. What this execution has changed is not decided or sent again. */
	private async changedOrSent(item: Item): Promise<Records> {
		const isSent = isWriting(this.run.prepared.operation) && !item.isDryRun;
		const before = isSent ? changedBefore(item) : undefined;
		// An item behind this one may have listed the roles.
		item.roleNames ??= await roleNamesFor(item);
		if (before?.isUncertain) item.lost = before;
		else if (before) item.done = 'before';
		if (!before?.json || before.isUncertain) return await this.sendOnce(item);
		if ('previous_role_id' in before.json) noteRole(item, before.json.previous_role_id);
		return [before.json];
	}

	/** Sends an item by its strategy, and remembers what it has changed for later tries of this execution. */
	private async sendOnce(item: Item): Promise<Records> {
		const { operation } = this.run.prepared;
		const sending = strategyOf(operation)(item);
		const records = await sending.catch((error: unknown) => {
			if (item.done !== 'none') rememberChange(item);
			throw error;
		});
		// An acknowledgement, unlike a record, cannot be read again.
		const [json] = operation.record ? [] : records;
		if (item.hasChanged) rememberChange(item, json instanceof Failure ? undefined : json);
		return records;
	}

	private async finish(): Promise<INodeExecutionData[]> {
		const { run, output } = this;
		const { notes, functions, prepared, count, isTool } = run;
		const items = output.items();
		for (const { api, people } of run.communities.values()) {
			const throttled = logThrottling(api);
			if (throttled !== undefined) notes.add('throttled', throttled);
			notes.add('searched', '', people.searched);
		}
		const isSame = !hasExpression(run.saved);
		const names = await this.namesForHint();
		const hints = hintsOf(notes, prepared.operation, { total: count, isSame, names });
		// A model sees only items.
		if (!isTool) hints.unshift(...output.hintOfFailed(items));
		// With "Continue", n8n repeats a node whose first item has failed (docs/decisions.md, E37).
		const isRepeated = items[0]?.json.error !== undefined;
		if (!run.cancellation.isCancelled && !isRepeated) forgetChanges(run);
		// Each is paired with the last one, because n8n requires that.
		if (isTool)
			return [
				...items,
				...itemsOfHints(hints, notes, count).map((json) => itemOf(count - 1, json)),
			];
		for (const message of hints) functions.addExecutionHints({ message, location: 'outputPane' });
		return items;
	}

	/** The names of the roles that a hint counts. They are listed for it only if there are several changes. */
	private async namesForHint(): Promise<Names | undefined> {
		const { notes, communities } = this.run;
		const [community] = communities.values();
		const isKnown = community?.hasListed('role');
		if (!isKnown && notes.count('newRole') < 2) return undefined;
		return await community.roleNames().catch(() => undefined);
	}
}

function isFailedOrChanged(record: Records[number]): boolean {
	if (record instanceof Failure) return true;
	const { created, changed, action } = record;
	return created === true || changed === true || action === 'create' || action === 'update';
}

/** Whether an item is left out before anything is looked up, because the cells of its members are empty. */
function namesNoMember({ input, lookUps }: Draft): boolean {
	const { emptyCells, values, body } = input;
	const { member_changes: changes } = body;
	const isNamed = () =>
		lookUps.some(({ lookUp }) => lookUp.references.some(({ kind }) => kind === 'user'));
	if (!changes) return emptyCells.length > 0 && !isNamed();
	const hasNoMember = lookUps.length === 0 && Object.keys(changes).length === 0;
	return hasNoMember && values.ifNotFound === 'leaveOut';
}
