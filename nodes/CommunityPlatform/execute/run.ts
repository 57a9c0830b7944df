import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { Failure, allOf, isGone, shortened } from '../../shared/failure';
import type { Api, Batching, HttpSettings } from '../../shared/transport';
import {
	CREDENTIAL,
	DEFAULT_SETTINGS,
	logThrottling,
	toApi,
	toHttpSettings,
	toLogin,
	batchingOf,
} from '../../shared/transport';
import { fingerprint } from '../../shared/text';
import { canCompare } from '../actions/operation';
import { NOT_FOUND, type Reference } from '../input/identifiers';
import { hasExpression } from '../input/entered';
import type { ReadItem } from '../input/readInput';
import { changedBefore, forgetChanges, rememberChange } from './attempts';
import { dispatch, type Pace } from './dispatch';
import { Item } from './item';
import { memoryOf } from './members/memory';
import { Members } from './members/members';
import { Directory, type Names } from './directory';
import { Results } from './results';
import { RunContext } from './context';
import { fieldsChosen } from './shape';
import { stepsOf } from './strategies';
import { toolArguments } from '../tool/arguments';
import type { Input } from '../input/field';

// n8n reads a credential from its database.
const OPENED_AT_ONCE = 20;

/** An item whose parameters were read. */
interface Read extends ReadItem {
	http: HttpSettings;
	batching: Batching;
}

interface Opened extends Read {
	api: Api;
	directory: Directory;
}

/** One execution of the node: from n8n's items to the items of the output. */
export class Run extends RunContext {
	private readonly steps = stepsOf(this.prepared.operation.strategy);
	private readonly results = new Results(this);
	private readonly communities = new Map<string, { api: Api; directory: Directory }>();

	/**
	 * Takes each step for all items before the next one begins. So invalid values are found before anything is sent, and
	 * unknown names before anything is changed.
	 */
	async execute(): Promise<INodeExecutionData[]> {
		const unfollow = this.cancellation.follow(this.functions.getExecutionCancelSignal());
		try {
			await this.executeItems();
			for (const { api, directory } of this.communities.values()) {
				this.summary.throttled.push(logThrottling(api));
				this.summary.searched += directory.members.search.readCount;
			}
			const isSame = !hasExpression(this.saved);
			const hints = this.summary.hints(this.count, this.prepared.operation, isSame);
			const output = this.results.output(hints);
			if (this.summary.applied > 0 && !this.cancellation.isCancelled) forgetChanges(this);
			const shown = [this.results.hintOfFailed(output), ...hints].filter((each) => each !== '');
			for (const message of this.isTool ? [] : shown)
				this.functions.addExecutionHints({ message, location: 'outputPane' });
			return output;
		} finally {
			unfollow();
		}
	}

	private async executeItems(): Promise<void> {
		const read = await this.forEachItem([...Array(this.count).keys()], async (item) =>
			this.read(item),
		);
		const [first] = read.filter((item) => item !== undefined);
		if (first === undefined) return;
		const open = async (item: typeof first, at: number) => ({
			...item,
			...(await this.open(at, first)),
		});
		const opened = await this.forEachItem(read, open, { atOnce: OPENED_AT_ONCE });
		if (this.cancellation.isCancelled) return;
		this.seekMembers(opened);
		const find = async (item: Opened, at: number) => await this.find(item, at);
		const items = await this.forEachItem(opened, find);
		const { batching } = first;
		const { atOnce } = this.steps;
		await this.forEachItem(items, async (item, at) => await this.send(item, at), {
			batching,
			atOnce,
		});
	}

	/** Each item adds its own members, so that one search looks for all. The first look-up starts it. */
	private seekMembers(items: Array<Opened | undefined>): void {
		for (const { references, directory } of items.filter((item) => item !== undefined)) {
			for (const reference of references) directory.seek(reference);
		}
	}

	/** Takes a step for all items that are left. An item for which it throws has failed. */
	private async forEachItem<From, To>(
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
			try {
				to[at] = await step(item, at);
			} catch (error) {
				this.results.fail(at, error);
			}
		};
		await dispatch(from.length, this.cancellation, one, pace);
		return to;
	}

	/** Undefined if the item is left out, because it names no member. */
	private read(item: number): Read | undefined {
		const { saved, functions } = this;
		const get = (name: string, fallback: unknown) => this.parameter(name, item, fallback);
		const access = this.isTool ? toolArguments(get, saved) : { get };
		const read = this.prepared.read({ ...access, saved, timezone: functions.getTimezone() });
		if (namesNobody(read)) {
			this.summary.emptyCells++;
			this.results.give(item, [], false);
			return undefined;
		}
		if (read.lookUps.length === 0) this.check(read.input);
		const requestOptions = this.parameter('requestOptions', item, {});
		return { ...read, http: toHttpSettings(requestOptions), batching: batchingOf(requestOptions) };
	}

	private check(input: Input): void {
		this.steps.check?.(this, input);
		this.prepared.operation.check?.(input);
	}

	private async open(item: number, { input, http }: Read) {
		const { functions, cancellation, communities } = this;
		const credential = await functions.getCredentials(CREDENTIAL, item);
		const key = JSON.stringify(credential);
		const existing = communities.get(key);
		if (existing) return existing;
		const { maxRequestsAtOnce, maxRetries } = { ...DEFAULT_SETTINGS, ...input.values };
		const api = toApi(functions, credential, cancellation, { maxRequestsAtOnce, maxRetries }, http);
		const caller = `${api.address} ${fingerprint(toLogin(credential))}`;
		const members = new Members(api, memoryOf(caller));
		const opened = { api, directory: new Directory(api, members) };
		communities.set(key, opened);
		return opened;
	}

	private async find(opened: Opened, at: number): Promise<Item | undefined> {
		const { input, api, directory } = opened;
		if (opened.lookUps.length > 0 && !(await this.lookUp(opened))) {
			this.results.give(at, [], false);
			return undefined;
		}
		const item = new Item(this, at, input, api, directory);
		await this.steps.prepare?.(item);
		item.roleNames = await this.roleNamesFor(input, directory);
		item.email = opened.references.find((each) => each.by === 'email')?.text;
		return item;
	}

	/** Returns whether the item is sent. False if it is left out. */
	private async lookUp({ input, lookUps, directory }: Opened): Promise<boolean> {
		const idOf = async (reference: Reference) =>
			await directory.find(reference).catch((error: unknown) => {
				if (!('isOfList' in reference) || !this.noteNotFound(error, input)) throw error;
				return NOT_FOUND;
			});
		const looking = allOf(lookUps.map(async (lookUp) => await lookUp(idOf)));
		const checking = looking.then(() => this.check(input));
		return await checking.then(
			() => true,
			(error: unknown) => {
				if (!this.noteNotFound(error, input)) throw error;
				return false;
			},
		);
	}

	/** Whether an item, or a member of a list, is left out because a search found no such member. Notes the member. */
	private noteNotFound(error: unknown, { values }: Input): boolean {
		if (!(error instanceof Failure) || values.ifNotFound !== 'leaveOut') return false;
		const { notFound, sought, near } = error.details;
		if (notFound !== 'user') return false;
		if (sought) this.summary.notFound.add(shortened(sought) + (near ? ` (${near})` : ''));
		return true;
	}

	/** The same for a member who was named by ID. */
	private async noteMissing(error: unknown, item: Item): Promise<boolean> {
		const { ifNotFound, userId } = item.input.values;
		const { leavesOut, request } = this.prepared.operation;
		if (!isGone(error) || leavesOut !== 'member' || ifNotFound !== 'leaveOut') return false;
		// An operation that reads has just read this member.
		const isCertain = request.method === 'GET' || (await item.isMissing(String(userId)));
		if (isCertain) this.summary.notFound.add(shortened(String(userId)));
		return isCertain;
	}

	private async roleNamesFor(input: Input, directory: Directory): Promise<Names | undefined> {
		const { includeRoleName, dryRun, skipUnchanged, onlyFrom } = input.values;
		const { operation } = this.prepared;
		const isChange = operation.strategy?.name === 'updateRole';
		// A dry run shows the role only if it changes.
		const hasRole = operation.hasRole && (dryRun !== true || isChange);
		if (!hasRole || includeRoleName === false) return undefined;
		if (includeRoleName === true) return await directory.names('role');
		// A number means nothing to a model, or to a person who compares the roles.
		const isCompared = dryRun === true || skipUnchanged === true || onlyFrom !== undefined;
		const isListed = isChange && (isCompared || directory.hasListed('role'));
		const isForModel = this.isTool && fieldsChosen(input)?.includes('role_id') !== false;
		return isListed || isForModel ? await directory.namesIfListed('role') : undefined;
	}

	/** Returns the records of an item. What this execution has changed is not decided or sent again. */
	private async changedOrSent(item: Item): Promise<Array<IDataObject | Failure>> {
		const { operation } = this.prepared;
		// A dry run changes nothing, so it has nothing to remember.
		const isComparing = canCompare(operation) && !item.isDryRun;
		const before = isComparing ? changedBefore(item) : undefined;
		// An item behind this one may have listed the roles.
		if (operation.strategy?.name === 'updateRole')
			item.roleNames ??= await this.roleNamesFor(item.input, item.directory);
		item.hasChanged = item.wasChangedBefore = before !== undefined;
		if (before?.json) return [before.json];
		const records = await this.steps.send(item);
		// Only a node that stops is run again. An acknowledgement, unlike a record, cannot be read again.
		const json = operation.record ? undefined : (records[0] as IDataObject);
		const isRemembered = isComparing && item.hasChanged && (json ?? item.skipsUnchanged);
		if (isRemembered && !this.isContinuing) rememberChange(item, json);
		return records;
	}

	private async send(item: Item, at: number): Promise<void> {
		try {
			const records = await this.changedOrSent(item);
			const isOnlyChanged = item.input.values.onlyChanged === true;
			const returned = isOnlyChanged ? records.filter(isFailedOrChanged) : records;
			this.results.give(at, returned, item.hasChanged);
			const hints = this.prepared.operation.hints?.(item.input) ?? [];
			for (const each of hints) this.summary.ofOperation.add(each);
			for (const each of item.input.gaveNothing) this.summary.gaveNothing.add(each);
		} catch (error) {
			if (this.noteNotFound(error, item.input) || (await this.noteMissing(error, item)))
				return this.results.give(at, [], false);
			this.results.fail(at, error, item.hasChanged || item.mayHaveChanged);
		} finally {
			item.releaseLocks();
		}
	}
}

function isFailedOrChanged(record: IDataObject | Failure): boolean {
	if (record instanceof Failure) return true;
	const { created, changed, action } = record;
	return created === true || changed === true || action === 'create' || action === 'update';
}

/** Whether an item is left out before anything is looked up, because the cells of its members are empty. */
function namesNobody({ input, references, lookUps }: ReadItem): boolean {
	const { emptyCells, values, body } = input;
	const { member_changes: changes } = body;
	if (!changes) return emptyCells.length > 0 && !references.some(({ kind }) => kind === 'user');
	const isNobody = lookUps.length === 0 && Object.keys(changes).length === 0;
	return isNobody && values.ifNotFound === 'leaveOut';
}
