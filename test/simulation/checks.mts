import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Call } from './api.mts';
import { boardOf, isFaulty, roleOf, rowOf, tagOf, type Run } from './executions.mts';
import type { World } from './world.mts';

const MAY = /may (already |also )?(have been|exist)|An earlier (attempt|try)/i;
// Nothing may be sent after n8n has canceled an execution, but what was sent in the same moment.
const MEMBER_OPERATIONS = ['updateRole', 'update', 'get'];

/** Returns the promises that an execution has broken, by the API's own log. */
export function brokenBy(world: World, run: Run): string[] {
	const check = new Check(world, run);
	return check.all().map((text) => `${run.execution.name} (${run.plan.operation}): ${text}`);
}

class Check {
	private readonly broken: string[] = [];
	private readonly calls: Call[];
	private readonly changes: Call[];
	private readonly rowsByCall = new Map<Call, number[]>();
	/** The rows whose change the API has carried out, in any attempt. */
	private readonly applied = new Set<number>();
	private readonly from: number;

	constructor(
		private readonly world: World,
		private readonly run: Run,
	) {
		const { calls } = world.api;
		this.calls = calls.filter(({ by }) => by === run.execution.name);
		this.changes = this.calls.filter(({ method }) => method !== 'GET');
		this.from = run.startedAt - world.setup.faults.lagMs;
		for (const call of this.writes()) {
			if (!call.isCarriedOut) continue;
			for (const at of this.rowsOf(call)) this.applied.add(at);
		}
	}

	all(): string[] {
		const { told, canceledAt, execution } = this.run;
		this.notTwice();
		if (this.isDryRun && this.writes().length > 0) this.fail('a dry run has sent a change');
		if (told.kind === 'crashed') return this.broken;
		const left = this.world.n8n.listenersOf(execution);
		if (left > 0) this.fail(`${left} listeners are left on n8n's signal`);
		if (canceledAt !== undefined) {
			const late = this.calls.find(({ at }) => at > canceledAt);
			if (late) this.fail(`${late.method} ${late.path} was sent after the execution was canceled`);
			return this.broken;
		}
		if (told.kind === 'threw') this.threw(told.error);
		if (told.kind === 'returned') this.returned(told.items, told.hints);
		this.inOrder();
		return this.broken;
	}

	private fail(text: string): void {
		this.broken.push(text);
	}

	private get isDryRun(): boolean {
		return this.run.plan.option === 'dryRun' && this.run.plan.operation !== 'get';
	}

	private get hasLag(): boolean {
		return this.world.setup.faults.lagMs > 0;
	}

	private writes(): Call[] {
		return this.changes;
	}

	private writesOf(at: number): Call[] {
		return this.writes().filter((call) => this.rowsOf(call).includes(at));
	}

	private rowsOf(call: Call): number[] {
		const rows = this.rowsByCall.get(call) ?? this.findRows(call);
		this.rowsByCall.set(call, rows);
		return rows;
	}

	private findRows({ body, path }: Call): number[] {
		const { number, rows, plan } = this.run;
		if (plan.operation !== 'updateMembers') return [rowOf(body, number) ?? -1];
		const changes = Object.keys((body.member_changes ?? {}) as IDataObject);
		return rows.flatMap(({ name, row }, at) => {
			const isBoard = path === `/boards/${boardOf(row)}/members`;
			return isBoard && changes.some((msid) => this.namesOf(msid).includes(name)) ? [at] : [];
		});
	}

	/** The names of a member by which this execution could have found them. */
	private namesOf(msid: string): unknown[] {
		const { plan, endedAt } = this.run;
		if (plan.by === 'msid') return [msid];
		return this.world.community.valuesBetween(msid, plan.by, this.from, endedAt);
	}

	/** Creates at most once. A change again only if the API did not answer it. */
	private notTwice(): void {
		for (const [at] of this.run.rows.entries()) {
			const done = this.writesOf(at).filter(({ isCarriedOut }) => isCarriedOut);
			const creates = done.filter(({ method }) => method === 'POST');
			if (creates.length > 1) this.fail(`item ${at} was created ${creates.length} times`);
			if (!this.isRemembered) continue;
			const isTold = ({ status = 500 }: Call) => status < 300;
			const again = done.findIndex((_, index) => index > 0 && isTold(done[index - 1]));
			if (again > 0) this.fail(`item ${at} was changed again after the API had answered`);
		}
	}

	/** Whether a later attempt of n8n does not send again what an earlier one has changed. */
	private get isRemembered(): boolean {
		const { operation, option, maxTries } = this.run.plan;
		if (operation === 'updateMembers') return false;
		if (maxTries === 1) return true;
		if (operation === 'tag' && option === 'onlyChanged') return true;
		return operation === 'updateRole' || option === 'skipUnchanged';
	}

	/**
	 * Whether another item is about the same member of the same board. Which of them has done it cannot always be seen in
	 * the requests.
	 */
	private isNamedTwice(at: number): boolean {
		const { rows, plan } = this.run;
		const isSame = ({ name, row }: (typeof rows)[number]) =>
			name === rows[at].name && boardOf(row) === boardOf(rows[at].row);
		return plan.operation === 'updateMembers' && rows.filter(isSame).length > 1;
	}

	/** Whether a create of the same record got no answer, so that nothing shows who has created the one that is there. */
	private isCreateLost(at: number): boolean {
		const { name, row } = this.run.rows[at];
		const names: unknown[] = [name, tagOf(row)];
		return this.writes().some(
			({ method, body, status = 500 }) =>
				method === 'POST' && names.includes(body.email ?? body.name) && status >= 500,
		);
	}

	/** Whether a role change counts as made: it got no answer, and the member has the role, from any execution. */
	private countsAsMade(at: number): boolean {
		const { rows, plan, endedAt } = this.run;
		const { msid, row } = rows[at];
		if (plan.operation !== 'updateRole' || msid === undefined) return false;
		const isLost = this.writesOf(at).some(({ status = 500 }) => status >= 500);
		const held = this.world.community.valuesBetween(msid, 'roleId', this.from, endedAt);
		return isLost && held.includes(roleOf(row));
	}

	/** Posts stand in the order of the items, within each attempt. */
	private inOrder(): void {
		if (this.run.plan.operation !== 'post') return;
		const done = this.writes().filter(({ isCarriedOut }) => isCarriedOut);
		done.sort((a, b) => (a.doneAt ?? 0) - (b.doneAt ?? 0));
		for (const [index, call] of done.entries()) {
			const before = done[index - 1];
			if (!before || before.attempt !== call.attempt) continue;
			if (this.rowsOf(before)[0] > this.rowsOf(call)[0]) this.fail('posts are not in their order');
		}
	}

	private threw({ message, description }: Error & { description?: string | null }): void {
		const text = `${message} | ${description ?? ''}`;
		const { rows, execution } = this.run;
		if (this.run.plan.continues) this.fail(`it stops although it is set to continue: ${text}`);
		const { size } = this.applied;
		if (text.includes('Nothing was changed') && size > 0)
			this.fail(`"Nothing was changed", but the API has changed ${size} items`);
		const numberIn = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);
		const told = numberIn(/Items already applied: (\d+)/);
		const maybe = numberIn(/Items that may also have been applied: (\d+)/);
		const itself = Number(MAY.test(text.replace('Items that may also have been applied', '')));
		const others = rows.filter((_, at) => !this.applied.has(at) && this.countsAsMade(at)).length;
		if (told > size + others)
			this.fail(`"Items already applied: ${told}", but the API has changed ${size}`);
		const isCreate = ['post', 'createOrGet'].includes(this.run.plan.operation);
		const hasToSay = isCreate || this.isRemembered || execution.attempts === 1;
		const least = [...this.applied].filter((at) => !this.isNamedTwice(at)).length;
		if (hasToSay && least > told + maybe + itself)
			this.fail(
				`the API has changed ${least} items, the failure tells of ${told + maybe + itself}: ${text}`,
			);
		const unknown = rows.some(({ msid }) => msid === undefined);
		const isCalm = this.isCalm && !unknown && !this.isMeddledWith();
		if (isCalm && execution.attempts === 1)
			this.fail(`it fails although nothing went wrong: ${text}`);
		this.notFound(-1, text);
		if (
			this.run.plan.leavesOut &&
			this.isLeavingOut &&
			/No such user|No member (has|with)/.test(text)
		)
			this.fail(`it fails, although it is set to leave out who is not found: ${text}`);
	}

	/** Whether neither the API nor the members made anything difficult. */
	private get isCalm(): boolean {
		const { setup } = this.world;
		return setup.gateway === 'none' && !isFaulty(setup) && !this.hasLag;
	}

	private get isLeavingOut(): boolean {
		// A reading with faults may be unable to say.
		const { operation } = this.run.plan;
		// Only 404 says that a member is missing.
		const isSaid = this.world.setup.habits.unknownMember === 404;
		const isLeavingOut = [...MEMBER_OPERATIONS, isSaid && 'updateMembers'].includes(operation);
		// A member who cannot be read, or leaves during a search, may be the one.
		return isLeavingOut && this.isCalm && !this.isMeddledWith();
	}

	/** Whether somebody else has changed a member of this execution. */
	private isMeddledWith(): boolean {
		const { community } = this.world;
		return (
			community.changes.some(({ by, at }) => by === 'admin' && at <= this.run.endedAt) ||
			community.members.some(({ unreadable }) => unreadable !== undefined)
		);
	}

	private returned(items: INodeExecutionData[], hints: string[]): void {
		const { rows, plan } = this.run;
		const text = hints.join('\n');
		const [, leftOut = ''] =
			/members? (?:was|were) not found, so the node left (?:them|it) out: (.*)/.exec(text) ?? [];
		for (const [at, row] of rows.entries()) {
			const own = items.filter(({ pairedItem }) => positionOf(pairedItem) === at);
			if (own.length > 1) this.fail(`item ${at} has ${own.length} items`);
			if (own.length === 0) this.missing(at, row.name, leftOut);
			for (const { json } of own) {
				if (json.error !== undefined) this.failedItem(at, json, text);
				else if (this.isDryRun) continue;
				else this.done(at, json);
			}
		}
		this.counts(items, text);
		if (plan.option !== 'onlyChanged') return;
		const idle = items.find(({ json }) => json.changed === false && json.created !== true);
		if (idle) this.fail('an unchanged item is returned although only changed ones are wanted');
	}

	private missing(at: number, name: string, leftOut: string): void {
		const { plan, rows } = this.run;
		const { msid } = rows[at];
		// A member who was found by name, but cannot be read, is named by the ID.
		if (leftOut.includes(name) || (msid !== undefined && leftOut.includes(msid))) {
			if (this.applied.has(at) && !this.isNamedTwice(at))
				this.fail(`item ${at} (${name}) is told left out, but was changed`);
			if (msid && this.isThere(msid, plan.by))
				this.fail(`item ${at} (${name}) is left out although the member is there`);
			return;
		}
		if (plan.option === 'onlyChanged' && this.world.api.calls.length > 0) {
			const real = this.writesOf(at).some(isRealChange);
			if (real) this.fail(`item ${at} (${name}) was changed, but is not returned as changed`);
			return;
		}
		this.fail(`item ${at} (${name}) has no item, no failure, and no hint names it`);
	}

	/** Whether a member could be found all the time, so that "not found" is wrong. */
	private isThere(msid: string, by: string): boolean {
		const { community } = this.world;
		const { endedAt } = this.run;
		const member = community.find(msid);
		if (!member || member.unreadable || member.joinedAt > this.from) return false;
		const isMoved = community.changes.some(
			({ at, field, msid: other }) =>
				at >= this.from &&
				at <= endedAt &&
				(['isGone', 'status'].includes(field) ||
					(other === msid && field === (by === 'email' ? 'email' : 'username'))),
		);
		const [gone] = community.valuesBetween(msid, 'isGone', this.from, endedAt);
		if (isMoved || gone !== false) return false;
		if (by === 'msid') return true;
		// A status that the API does not list is not searched, and the failure names those that were.
		if (this.calls.some(({ path, status }) => path === '/users' && status === 403)) return false;
		// For ten minutes, a search trusts the addresses that it has read.
		const isReaddressed = community.changes.some(
			({ field, msid: other }) => field === 'email' && other === msid,
		);
		if (by === 'email' && isReaddressed) return false;
		const row = this.run.rows.find((each) => each.msid === msid);
		const [name] = community.valuesBetween(msid, by as 'email', this.from, endedAt);
		return name === row?.name;
	}

	private notFound(at: number, text: string): void {
		const { plan, rows } = this.run;
		if (!/No member (has|with)/.test(text) || /could not be read/.test(text)) return;
		if (![...MEMBER_OPERATIONS, 'updateMembers'].includes(plan.operation)) return;
		// A suggestion names other members.
		const asked = text.replace(/Did you mean [^?]*\?/g, '');
		const named = at < 0 ? rows.filter(({ name }) => asked.includes(`'${name}'`)) : [rows[at]];
		const wrong = named.find(({ msid }) => msid && this.isThere(msid, plan.by));
		if (wrong) this.fail(`${wrong.name} is told not to be found, but is there`);
	}

	private failedItem(at: number, json: IDataObject, hints: string): void {
		const { plan, rows } = this.run;
		const text = `${String(json.error)} | ${String(json.message)}`;
		if (!plan.continues && !this.isDryRun)
			this.fail(`item ${at} failed, but the node did not stop`);
		const hasToSay = this.isRemembered || this.run.execution.attempts === 1;
		const isApplied = this.applied.has(at) && !this.isNamedTwice(at);
		if (isApplied && hasToSay && !MAY.test(text))
			this.fail(`item ${at} was changed, but its failure does not say so: ${text}`);
		if (isApplied && hints.includes('These items changed nothing'))
			this.fail(`"These items changed nothing", but item ${at} was changed`);
		const isUnknown = rows[at].msid === undefined;
		if (this.isCalm && !isUnknown && !this.isMeddledWith() && !this.isMixed)
			this.fail(`item ${at} failed although nothing went wrong: ${text}`);
		this.notFound(at, text);
		if (isUnknown && plan.leavesOut && this.isLeavingOut)
			this.fail(`item ${at} failed, although it is set to leave out who is not found: ${text}`);
	}

	/** Whether the rows of a board go in one request, in which one unknown member is enough for a refusal. */
	private get isMixed(): boolean {
		return this.run.plan.operation === 'createOrGet' && this.run.plan.option === 'dryRun';
	}

	/** An item that did not fail: what it tells is true, and what was asked for was done. */
	private done(at: number, json: IDataObject): void {
		const { plan } = this.run;
		const own = this.writesOf(at).filter(({ isCarriedOut }) => isCarriedOut);
		switch (plan.operation) {
			case 'updateRole':
				return this.roleSet(at, json, own);
			case 'update':
				return this.replaced(at, json, own);
			case 'createOrGet':
				return this.createdOrFound(at, json, own);
			case 'post':
				if (own.length === 0) this.fail(`item ${at} is told created, but the API has no such post`);
				return;
			case 'tag':
				return this.tagSet(at, json, own);
			case 'updateMembers':
				if (own.length === 0)
					this.fail(`item ${at} is told done, but the API has not changed the board`);
				return;
			case 'get':
				this.memberOf(at, json);
				return;
		}
	}

	/** Returns the member of an item, who had the name of its row at some moment of the execution. */
	private memberOf(at: number, { msid: shown }: IDataObject): string {
		const { name } = this.run.rows[at];
		const msid = String(shown);
		const names = this.namesOf(msid);
		if (!names.includes(name)) this.fail(`item ${at} is ${msid}, who was not called ${name}`);
		return msid;
	}

	private roleSet(at: number, json: IDataObject, own: Call[]): void {
		const { rows, endedAt, plan } = this.run;
		const { row } = rows[at];
		const msid = this.memberOf(at, json);
		const wanted = roleOf(row);
		const { community } = this.world;
		const held = community.valuesBetween(msid, 'roleId', this.from, endedAt);
		const { changed, previous_role_id: previous, skipped_by: skippedBy } = json;
		const foreign = community.foreign(msid, 'roleId', this.from, endedAt, (by) =>
			this.isOfProcess(by),
		);
		const isQuiet = foreign.length === 0 && !this.hasLag;
		const real = own.filter(isRealChange);
		if (changed === true && isQuiet && real.length === 0)
			this.fail(`item ${at} says changed, but the role was the same before`);
		if (changed === false && isQuiet && real.length > 0)
			this.fail(`item ${at} says changed: false, but it changed the role`);
		if (skippedBy === 'onlyFrom') {
			if (own.length > 0) this.fail(`item ${at} was kept by its role, but a change was sent`);
			return;
		}
		if (own.length === 0 && !held.includes(wanted))
			this.fail(`item ${at} is told done, but the member never had the role ${wanted}`);
		if (changed !== false && own.length === 0 && !this.countsAsMade(at))
			this.fail(
				`item ${at} is told ${String(changed ?? 'done')}, but the API has carried out no change`,
			);
		if (previous !== undefined && previous !== null && !held.includes(previous))
			this.fail(`item ${at} says the role before was ${String(previous)}, which it was not`);
		const [first] = real;
		if (first && isQuiet && previous !== undefined && previous !== null) {
			const { role_id: before } = first.effect?.before ?? {};
			if (before !== previous)
				this.fail(
					`item ${at} says the role before was ${String(previous)}, but it was ${String(before)}`,
				);
		}
		if (
			plan.option === 'onlyFrom' &&
			isQuiet &&
			real.some((each) => Number(each.effect?.before.role_id) > 2)
		)
			this.fail(`item ${at} replaced a role that 'Only If Current Role Is' does not name`);
	}

	/** Whether a change was made by an execution of the same process, which waited for the answer. */
	private isOfProcess(by: string): boolean {
		const { process } = this.run.execution;
		const calls = this.world.api.calls.filter((call) => call.by === by);
		const isGivenUp = calls.some((call) => call.isGivenUp && call.method !== 'GET');
		return !isGivenUp && calls.some((call) => call.process === process.name);
	}

	private replaced(at: number, json: IDataObject, own: Call[]): void {
		const { endedAt } = this.run;
		const msid = this.memberOf(at, json);
		const { community } = this.world;
		if (json.changed === false && own.some(isRealChange))
			this.fail(`item ${at} says changed: false, but it changed the member`);
		if (json.changed !== false && own.length === 0)
			this.fail(`item ${at} is told done, but the API has carried out no change`);
		for (const { effect } of own) {
			for (const field of ['first_name', 'user_avatar', 'username']) {
				const key = { first_name: 'firstName', user_avatar: 'avatar', username: 'username' }[field];
				const foreign = community.foreign(msid, key as 'username', this.from, endedAt, () => false);
				const others = foreign.filter(({ by, from, to }) => !this.isOfProcess(by) && from !== to);
				if (others.length > 0 || this.hasLag) continue;
				if (effect?.before[field] !== effect?.after[field])
					this.fail(`item ${at} changed ${field}, which was to be kept`);
			}
		}
	}

	private createdOrFound(at: number, json: IDataObject, own: Call[]): void {
		const { rows, endedAt } = this.run;
		const { name } = rows[at];
		if (json.created === true && own.length === 0 && !this.isCreateLost(at))
			this.fail(`item ${at} says created, but the API has created no member for it`);
		if (json.created === false && own.length > 0)
			this.fail(`item ${at} says created: false, but created the member`);
		const { members } = this.world.community;
		const id = String(json.msid ?? '');
		if (!members.some(({ userId, sid }) => `${userId}.${sid}` === id))
			return this.fail(`item ${at} is a member ${id} that the community does not have`);
		const addresses = this.world.community.valuesBetween(id, 'email', this.from, endedAt);
		if (!addresses.includes(name)) this.fail(`item ${at} is ${id}, who did not have ${name}`);
	}

	private tagSet(at: number, json: IDataObject, own: Call[]): void {
		const isCreate = own.some(({ method }) => method === 'POST');
		if (json.created === true && !isCreate && !this.isCreateLost(at))
			this.fail(`item ${at} says created, but the API has created no tag for it`);
		if (json.created === false && isCreate)
			this.fail(`item ${at} says created: false, but created the tag`);
		const keeps = this.run.rows[at].row.what === 1;
		if (keeps && own.some(({ method }) => method === 'PUT'))
			this.fail(`item ${at} changed a tag that was to be kept`);
		if (!keeps && json.changed !== false && own.length === 0)
			this.fail(`item ${at} is told done, but the API has carried out no change`);
	}

	/** The numbers in hints. */
	private counts(items: INodeExecutionData[], text: string): void {
		const { rows, plan } = this.run;
		const failed = items.filter(({ json }) => json.error !== undefined);
		const numberIn = (pattern: RegExp) => {
			const found = pattern.exec(text)?.[1];
			return found === undefined ? undefined : Number(found);
		};
		const [, some, all] = /(\d+) of (\d+) items? failed/.exec(text) ?? [];
		if (failed.length > 0 && Number(some) !== failed.length)
			this.fail(`${failed.length} items failed, the hint says ${some}`);
		const total = plan.operation === 'get' ? items.length : rows.length;
		if (failed.length > 0 && Number(all) !== total)
			this.fail(`the hint counts ${all} items, but there were ${total}`);
		if (rows.length === 1) return;
		const done = items.filter(({ json }) => json.error === undefined).map(({ json }) => json);
		if (this.isDryRun) return this.planned(done, text);
		if (plan.option === 'onlyChanged') return;
		if (plan.operation === 'updateRole') {
			const changed = numberIn(/^(\d+) changed: /m) ?? 0;
			const updated = numberIn(/(\d+)(?: of \d+)? updated/) ?? 0;
			if (changed > 0 && updated > 0 && this.run.execution.attempts > 1)
				this.fail(`the hint has two words for one thing: ${text.replace(/\n/g, ' ')}`);
			const idle = numberIn(/(\d+)(?: of \d+)? needed no change/) ?? 0;
			const kept = done.filter((json) => json.skipped_by === 'onlyFrom').length;
			if (changed + updated + idle + kept !== done.length)
				this.fail(
					`${done.length} items are done, the hint counts ${changed + updated + idle + kept}`,
				);
		}
		if (plan.operation === 'createOrGet' || plan.operation === 'tag') {
			const created = numberIn(/(\d+)(?: of \d+)? created/) ?? 0;
			const isCreated = done.filter((json) => json.created === true).length;
			if (created !== isCreated)
				this.fail(`${isCreated} items are created, the hint says ${created}`);
			const others = ['already existed', 'updated', 'needed no change'].map(
				(words) => numberIn(new RegExp(`(\\d+)(?: of \\d+)? ${words}`)) ?? 0,
			);
			const sum = others.reduce((one, other) => one + other, created);
			if (sum !== done.length)
				this.fail(
					`${done.length} items are done, the hint counts ${sum}: ${text.replace(/\n/g, ' ')}`,
				);
		}
	}

	/** A dry run promises what a run would do, in which each row sees the changes of those before it. */
	private planned(done: IDataObject[], text: string): void {
		const updates = done.filter(({ action }) => action === 'update').length;
		const [, told] = /(\d+)(?: of \d+)? would be updated/.exec(text) ?? [];
		if (told !== undefined && Number(told) !== updates)
			this.fail(`${updates} items would be updated, the hint says ${told}`);
		const { plan, rows, startedAt, endedAt } = this.run;
		const { community } = this.world;
		if (plan.operation !== 'updateRole' || !this.isCalm || done.length < rows.length) return;
		const isChanged = community.changes.some(({ at }) => at >= startedAt && at <= endedAt);
		if (isChanged || rows.some(({ msid }) => msid === undefined)) return;
		const roles = new Map<string, unknown>();
		let wanted = 0;
		for (const { msid = '', row } of rows) {
			const role =
				roles.get(msid) ?? community.valuesBetween(msid, 'roleId', startedAt, endedAt)[0];
			const to = roleOf(row);
			if (role !== to) wanted++;
			roles.set(msid, to);
		}
		if (wanted !== updates)
			this.fail(`the dry run promises ${updates} changes, a run would make ${wanted}`);
	}
}

function isRealChange({ effect, isCarriedOut }: Call): boolean {
	return isCarriedOut && JSON.stringify(effect?.before) !== JSON.stringify(effect?.after);
}

function positionOf(pairedItem: INodeExecutionData['pairedItem']): number {
	return typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : -1;
}
