import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { NO_FAULTS, USUAL, type Faults } from './api.mts';
import { msidOf, type Member, type MemberField } from './community.mts';
import { nodeOf, valueAt, type Parameters } from './n8n.mts';
import type { Process } from './process.mts';
import { World, type Arrange, type Happening, type Setup } from './world.mts';

export interface Round {
	/** Before the poll. */
	before: Array<Omit<Happening, 'at'>>;
	/** While it runs, some milliseconds after its start. */
	during: Happening[];
	faults: Faults;
	/** What happens to n8n before the poll, or in the middle of it. */
	restart: 'none' | 'restart' | 'crash';
	/** Whether n8n starts another poll while this one runs. */
	isDoubled: boolean;
}

export interface PollStory extends Setup {
	watchesFor: 'memberJoined' | 'memberChanged';
	includesDetails: boolean;
	rounds: Round[];
}

interface Item {
	json: IDataObject;
	/** The poll that gave it. */
	poll: Poll;
}

interface Poll {
	number: number;
	startedAt: number;
	endedAt: number;
	isCalm: boolean;
	items: number;
	error?: Error;
}

const INTERVAL_MS = 60_000;
// More than the ten polls after which a member who cannot be read is returned as listed.
const CALM_POLLS = 13;

const share = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.constant(0.2));
const roundFaults: fc.Arbitrary<Faults> = fc.oneof(
	{ weight: 2, arbitrary: fc.constant(NO_FAULTS) },
	fc.record({
		lostBefore: share,
		lostAfter: share,
		errorBefore: share,
		errorAfter: share,
		silent: fc.constant(0),
		page: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.constant(0.3)),
		lagMs: fc.constant(0),
	}),
);

const kindsOf = {
	memberJoined: ['join', 'join', 'join', 'unread', 'leave', 'role', 'rename'],
	memberChanged: ['join', 'leave', 'role', 'role', 'rename', 'status', 'replace', 'unread'],
} as const;

const storyOf = (watchesFor: PollStory['watchesFor']) => {
	const one = {
		kind: fc.constantFrom<Happening['kind']>(...kindsOf[watchesFor]),
		// The newest members are the interesting ones.
		who: fc.oneof(fc.nat(30), fc.constant(-1)),
		value: fc.nat(1_000),
	};
	const round = fc.record<Round>({
		before: fc.array(fc.record(one), { maxLength: 5 }),
		// Who leaves during a poll moves others to another page, which docs/triggers.md says.
		during: fc.array(
			fc.record({
				...one,
				kind: fc.constantFrom<Happening['kind']>('join', 'role', 'rename'),
				at: fc.nat(2_000),
			}),
			{ maxLength: 2 },
		),
		faults: roundFaults,
		restart: fc.constantFrom('none', 'none', 'none', 'none', 'restart', 'crash'),
		isDoubled: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.boolean()),
	});
	return fc.record<PollStory>({
		seed: fc.nat(),
		workers: fc.constant(1),
		members: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 2, max: 10 }) }, fc.constant(70)),
		gateway: fc.constantFrom('none', 'none', 'bucket', 'chance'),
		gatewaySize: fc.constantFrom(0.5, 1),
		faults: fc.constant(NO_FAULTS),
		habits: fc.constant({ ...USUAL, latencyMs: 200 }),
		watchesFor: fc.constant(watchesFor),
		includesDetails: fc.boolean(),
		rounds: fc.array(round, { minLength: 1, maxLength: 6 }),
	});
};

/** Stories of polls over time. */
export const pollStory: fc.Arbitrary<PollStory> = fc.oneof(
	storyOf('memberJoined'),
	storyOf('memberChanged'),
);

/** Tells a story of polls, and throws if it breaks a promise. */
export async function checkPolls(story: PollStory, arrange?: Arrange): Promise<void> {
	const world = new World(story);
	arrange?.(world);
	const trigger = new Trigger(world, story);
	// The first poll, when the workflow is switched on, succeeds. Otherwise n8n would not switch it on.
	const { faults } = world.api;
	await trigger.poll();
	for (const round of story.rounds) {
		for (const each of round.before) happen(world, each);
		if (round.restart === 'restart') trigger.restart();
		for (const { at, ...each } of round.during)
			world.at(world.clock.now + at, () => happen(world, each));
		world.api.faults = round.faults;
		await trigger.poll(round);
	}
	world.api.faults = faults;
	world.calm();
	await trigger.pollCalmly();
	world.require(trigger.broken());
	world.require(await world.leftBehind());
	world.end();
}

function happen(world: World, { kind, who, value }: Omit<Happening, 'at'>): void {
	const present = world.community.members.filter((each) => !each.isGone).length;
	world.happen({ kind, who: who < 0 ? Math.max(0, present - 2) : who, value });
}

/** A polling trigger in an n8n, from its activation on. */
export class Trigger {
	readonly items: Item[] = [];
	readonly polls: Poll[] = [];
	private readonly parameters: Parameters;
	private process: Process;
	/** Whether n8n has saved the static data since it activated the workflow. */
	private isSaved = false;
	private functions: object;
	/** n8n's static data, as it is in its database. */
	private saved = '{}';
	private data: Record<string, IDataObject> = { node: {}, global: {} };

	constructor(
		private readonly world: World,
		private readonly story: Pick<PollStory, 'watchesFor' | 'includesDetails' | 'gateway'>,
	) {
		this.parameters = {
			triggerOn: story.watchesFor,
			options: story.includesDetails ? { includeDetails: true } : {},
		};
		this.process = world.worker(0);
		this.functions = this.functionsOf('activate');
	}

	/** Stops n8n and starts it again. It has saved the static data when it gave items, or stopped. */
	restart(): void {
		this.save();
		this.start('restarts');
	}

	private save(): void {
		this.saved = JSON.stringify(this.data);
	}

	private start(what: string): void {
		this.world.chronicle.say(`n8n ${what}`);
		this.process.crash();
		this.process = this.world.worker(0);
		this.data = JSON.parse(this.saved) as Record<string, IDataObject>;
		this.data.node ??= {};
		this.data.global ??= {};
		this.functions = this.functionsOf('init');
		this.isSaved = false;
	}

	/** Polls once, a minute after the last poll. */
	async poll(round?: Round): Promise<void> {
		const { clock } = this.world;
		const startedAt = clock.now;
		const what = `Poll ${this.polls.length + 1}`;
		await this.world.run(this.begin(round), clock.now + 120_000, what);
		await clock.pass(Math.max(1_000, startedAt + INTERVAL_MS - clock.now));
	}

	/** Polls in a calmed world, until everybody who could not be read has been returned. */
	async pollCalmly(): Promise<void> {
		for (let left = CALM_POLLS; left > 0; left--) await this.poll();
	}

	/** Polls until the calls of n8n have ended. */
	async begin(round?: Round): Promise<void> {
		const { world, polls } = this;
		const { clock, chronicle } = world;
		if (!this.process.isAlive) this.start('starts again');
		const number = polls.length + 1;
		const startedAt = clock.now;
		const isCalm = round === undefined || round.faults === NO_FAULTS;
		const poll: Poll = { number, startedAt, endedAt: startedAt, isCalm, items: 0 };
		polls.push(poll);
		chronicle.say(`poll ${number} begins`);
		if (round?.restart === 'crash')
			world.at(clock.now + 150 + world.random() * 600, () => world.crash(0));
		const all = [this.pollOnce(poll), ...(round?.isDoubled ? [this.pollOnce(poll)] : [])];
		await Promise.all(all);
		poll.endedAt = clock.now;
		if (!this.process.isAlive) this.start('starts again');
	}

	/** The broken promises of the events that the trigger watches for. */
	broken(): string[] {
		return this.story.watchesFor === 'memberJoined' ? this.joinedBroken() : this.changedBroken();
	}

	private async pollOnce(poll: Poll): Promise<void> {
		const { process, functions, world } = this;
		const { CommunityPlatformPollingTrigger: node } = process.nodes;
		try {
			const told = await Promise.race([node.poll?.call(functions as never), process.crashed]);
			if (told === 'crashed') {
				poll.isCalm = false;
				return;
			}
			const items = told?.[0] ?? [];
			world.chronicle.say(
				`poll ${poll.number} returns ${items.map(({ json }) => JSON.stringify(json)).join(' ') || 'nothing'}`,
			);
			poll.items += items.length;
			this.items.push(...items.map(({ json }) => ({ json, poll })));
			// n8n saves the static data at the end of an activation, and before it starts an execution with the items (n8n, active-workflow-manager.ts).
			if (items.length > 0 || !this.isSaved) this.save();
			this.isSaved = true;
		} catch (error) {
			poll.error = error as Error;
			world.chronicle.say(`poll ${poll.number} fails: ${poll.error.message}`);
		}
	}

	private functionsOf(activation: 'activate' | 'init'): object {
		const { parameters, world, process } = this;
		return {
			getNode: () => nodeOf('n2', parameters as never),
			getNodeParameter: (path: string, fallback: unknown) => valueAt(parameters, path) ?? fallback,
			getMode: () => 'trigger',
			getActivationMode: () => activation,
			getWorkflowStaticData: (type: string) => this.data[type],
			helpers: { httpRequestWithAuthentication: world.n8n.httpOf(process, 'The trigger') },
			...world.n8n.common(process),
		};
	}

	private joinedBroken(): string[] {
		const broken: string[] = [];
		const { community } = this.world;
		const [first] = this.polls;
		const counts = new Map<string, number>();
		for (const { json } of this.items) {
			const msid = String(json.msid);
			counts.set(msid, (counts.get(msid) ?? 0) + 1);
			if (!community.members.some((each) => msidOf(each) === msid))
				broken.push(`${msid} is returned, but there is no such member`);
		}
		for (const member of community.members) {
			const msid = msidOf(member);
			const times = counts.get(msid) ?? 0;
			if (member.joinedAt < first.startedAt && times > 0)
				broken.push(`${msid} joined before the trigger was switched on, but is returned`);
			if (times > 1) broken.push(`${msid} is returned ${times} times`);
			// The list of this trigger has active members only.
			const statuses = community.valuesBetween(msid, 'status', member.joinedAt, Infinity);
			const isActive = statuses.every((status) => status === 10);
			const isSteady = member.joinedAt > first.endedAt && !member.isGone && isActive;
			if (isSteady && times === 0) broken.push(`${msid} joined and is never returned`);
			if (isSteady && times === 1) broken.push(...this.heldBack(member));
		}
		return broken;
	}

	/** A member who can be read is returned by the first poll in which nothing goes wrong. */
	private heldBack(member: Member): string[] {
		const msid = msidOf(member);
		const returnedIn = this.items.find(({ json }) => json.msid === msid)?.poll.number ?? 0;
		const due = this.polls.find((poll) => poll.isCalm && poll.startedAt > member.joinedAt);
		if (!due || returnedIn <= due.number || this.story.gateway !== 'none') return [];
		if (member.unreadable && this.story.includesDetails) return [];
		return [
			`${msid} can be read, but is returned by poll ${returnedIn} instead of poll ${due.number}`,
		];
	}

	private changedBroken(): string[] {
		const broken: string[] = [];
		const { community } = this.world;
		const [first] = this.polls;
		const fields = {
			role_id: 'roleId',
			user_status: 'status',
			username: 'username',
			first_name: 'firstName',
		} as const;
		const told = new Map<string, IDataObject>();
		const beginning = (member: Member, field: MemberField) =>
			community.valuesBetween(msidOf(member), field, first.startedAt, first.endedAt);
		for (const { json, poll } of this.items) {
			const msid = String(json.msid);
			const member = community.find(msid);
			if (!member) {
				broken.push(`a change of ${msid} is told, but there is no such member`);
				continue;
			}
			const changed = json.changed as string[];
			const previous = json.previous as IDataObject;
			const known = told.get(msid) ?? {};
			told.set(msid, known);
			if (changed.includes('left')) {
				if (known.left) broken.push(`poll ${poll.number} tells again that ${msid} has left`);
				known.left = true;
				const [...gone] = community.valuesBetween(msid, 'isGone', poll.startedAt, poll.endedAt);
				if (!gone.includes(true)) broken.push(`${msid} is told to have left, but has not`);
				continue;
			}
			for (const [field, own] of Object.entries(fields)) {
				if (!(field in previous)) continue;
				const before =
					field in known
						? [known[field]]
						: [
								...beginning(member, own),
								...(member.joinedAt > first.startedAt
									? community.valuesBetween(msid, own, -Infinity, poll.endedAt)
									: []),
							];
				if (!before.some((value) => String(value) === String(previous[field])))
					broken.push(
						`poll ${poll.number} tells that ${field} of ${msid} was ${String(previous[field])}, known was ${before.join(' or ')}`,
					);
				const now = community.valuesBetween(msid, own, poll.startedAt, poll.endedAt);
				if (!now.some((value) => String(value) === String(json[field])))
					broken.push(
						`poll ${poll.number} tells that ${field} of ${msid} is ${String(json[field])}, it was ${now.join(' or ')}`,
					);
				known[field] = json[field];
			}
		}
		for (const member of community.members) {
			// Who joined later is known from some poll on, which only the trigger knows.
			if (member.joinedAt > first.startedAt) continue;
			const msid = msidOf(member);
			const known = told.get(msid) ?? {};
			if (member.isGone) {
				if (!known.left) broken.push(`${msid} has left, and nothing tells it`);
				continue;
			}
			for (const [field, own] of Object.entries(fields)) {
				const values = field in known ? [known[field]] : beginning(member, own);
				if (!values.some((value) => String(value) === String(member[own])))
					broken.push(
						`${field} of ${msid} is now ${String(member[own])}, but ${values.join(' or ')} is the last that was told`,
					);
			}
		}
		return broken;
	}
}
