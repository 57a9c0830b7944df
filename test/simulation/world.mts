import { Api, Chronicle, NO_FAULTS, USUAL, type Faults, type Habits } from './api.mts';
import { Clock, randomOf, type Random } from './clock.mts';
import { Community, ROLES, msidOf } from './community.mts';
import { gatewayOf, type Gateway, type GatewayKind } from './gateways.mts';
import { Database, N8n, WORKING_DATABASE } from './n8n.mts';
import { Process } from './process.mts';

export interface Setup {
	seed: number;
	workers: number;
	/** How many members there are when the story begins. */
	members: number;
	gateway: GatewayKind;
	/** From 0, a tight limit, to 1. */
	gatewaySize: number;
	faults: Faults;
	habits: Habits;
}

export const PLAIN: Setup = {
	seed: 1,
	workers: 1,
	members: 5,
	gateway: 'none',
	gatewaySize: 1,
	faults: NO_FAULTS,
	habits: USUAL,
};

/** Something that happens in the community while executions run. */
export interface Happening {
	at: number;
	kind: 'join' | 'leave' | 'role' | 'rename' | 'readdress' | 'replace' | 'status' | 'unread';
	who: number;
	value: number;
}

/** A broken promise, with the story in words. */
export class Broken extends Error {}

/** Whether processes load the modules of the package instead of taking those of an earlier story. */
export const freshness = { isFresh: false };

let stories = 0;

/** Changes a world before its story begins. */
export type Arrange = (world: World) => void;

/** Everything in one story: a clock, a community with its API, and an n8n with one or more processes. */
export class World {
	readonly clock = new Clock();
	readonly random: Random;
	readonly chronicle = new Chronicle(this.clock);
	readonly community = new Community(this.clock);
	readonly api: Api;
	readonly database: Database;
	readonly n8n: N8n;
	/** All processes that there have ever been. */
	readonly processes: Process[] = [];
	private readonly slots: Process[] = [];

	constructor(readonly setup: Setup) {
		const { seed, members, gateway, gatewaySize, faults, habits } = setup;
		this.random = randomOf(seed);
		const { say } = this.chronicle;
		const limit: Gateway = gatewayOf(gateway, gatewaySize, this.random);
		this.api = new Api(this.clock, this.random, this.community, limit, faults, habits, say);
		this.database = new Database(this.clock, this.random, say, ++stories);
		this.n8n = new N8n(this.clock, this.api, this.database, say);
		const hour = 3_600_000;
		for (let at = 0; at < members; at++) this.community.join({}, (members - at) * hour);
	}

	/** Returns a worker, started again if it has crashed. */
	worker(at: number): Process {
		const slot = at % this.setup.workers;
		if (!this.slots[slot]?.isAlive) this.restart(slot);
		return this.slots[slot];
	}

	/** Replaces a process with a new one. */
	restart(at: number): Process {
		const slot = at % this.setup.workers;
		const count = this.processes.length + 1;
		this.slots[slot] = new Process(`worker ${count}`, this.clock, this.random, freshness.isFresh);
		this.processes.push(this.slots[slot]);
		return this.slots[slot];
	}

	crash(at: number): void {
		const process = this.slots[at % this.setup.workers];
		if (!process?.isAlive) return;
		this.chronicle.say(`${process.name} crashes`);
		process.crash();
	}

	/** Ends a story in which no promise was broken. */
	end(): void {
		for (const process of this.processes) process.leave();
	}

	/** Calls back at a time of the story. */
	at(time: number, act: () => void): void {
		this.clock.schedule(time - this.clock.now, act, this);
	}

	happen({ kind, who, value }: Omit<Happening, 'at'>): void {
		const { community, chronicle } = this;
		if (kind === 'join') {
			const joined = community.join();
			return chronicle.say(`${msidOf(joined)} joins`);
		}
		const present = community.members.filter((each) => !each.isGone);
		// The first member owns the API key.
		if (present.length < 2) return;
		const member = present[1 + (who % (present.length - 1))];
		const msid = msidOf(member);
		const id = `${member.userId}x${value % 100}`;
		switch (kind) {
			case 'leave':
				community.change(member, 'isGone', true, 'admin');
				return chronicle.say(`${msid} leaves`);
			case 'role':
				community.change(member, 'roleId', ROLES[value % ROLES.length].role_id, 'admin');
				return chronicle.say(`An admin gives ${msid} the role ${member.roleId}`);
			case 'rename':
				community.change(member, 'username', `u${id}`, 'admin');
				return chronicle.say(`${msid} is now called ${member.username}`);
			case 'readdress':
				community.change(member, 'email', `u${id}@x.io`, 'admin');
				return chronicle.say(`${msid} now has the address ${member.email}`);
			case 'replace': {
				community.change(member, 'isGone', true, 'admin');
				const { userId } = member;
				const other = community.join({
					userId,
					sid: `z${id}`,
					username: `z${id}`,
					email: `z${id}@x.io`,
				});
				return chronicle.say(`${msid} is deleted, and ${msidOf(other)} has the number now`);
			}
			case 'status':
				community.change(member, 'status', [10, 6, 5, 4, 0, -3][value % 6], 'admin');
				return chronicle.say(`${msid} now has the status ${member.status}`);
			case 'unread':
				member.unreadable = [403, 404, 500][value % 3];
				return chronicle.say(`${msid} cannot be read any more (${member.unreadable})`);
		}
	}

	/** Ends what makes a story hard, so that everything has to work again. */
	calm(): void {
		this.api.gateway = gatewayOf('none', 1, this.random);
		this.api.faults = NO_FAULTS;
		this.api.force = undefined;
		this.database.faults = WORKING_DATABASE;
	}

	/** Throws with the story in words if a promise is broken. */
	require(broken: string[]): void {
		if (broken.length === 0) return;
		const list = broken.slice(0, 5).map((each) => `- ${each}`);
		throw new Broken(`${list.join('\n')}\n\nThe story:\n${this.chronicle.inWords()}`);
	}

	/** Waits for the work. If it does not end in time, throws with the story in words. */
	async run<T>(work: Promise<T>, until: number, what: string): Promise<T> {
		try {
			return await this.clock.run(work, until, what);
		} catch (error) {
			if (error instanceof Broken) throw error;
			throw new Broken(`- ${(error as Error).message}\n\nThe story:\n${this.chronicle.inWords()}`, {
				cause: error,
			});
		}
	}

	/** Names what processes have left behind: timers, and requests that nobody waits for. */
	async leftBehind(): Promise<string[]> {
		// What ends by itself: a look at a request each 100 ms, a sleep of the limiter of at most 250 ms.
		await this.clock.pass(2_000);
		return this.processes
			.map((process) => ({ process, count: this.clock.waitingFor(process) }))
			.filter(({ count }) => count > 0)
			.map(({ process, count }) => `${process.name} has left ${count} timers`);
	}
}
