import { NO_FAULTS, USUAL, type Call } from './api.mts';
import { checkDeliveries } from './deliveries.mts';
import {
	execution,
	itemsOf,
	pollsOf,
	readMany,
	round,
	row,
	runNode,
	storyOf,
	threeCopies,
	unknown,
} from './directed.mts';
import { fixedWindow, tokenBucket } from './gateways.mts';
import { checkPolls } from './polls.mts';
import { checkExecutions } from './run.mts';
import { PLAIN, World } from './world.mts';

// One story for each fault that was found in earlier versions. The random stories are in stories.test.ts.

// The time that an answer needs in a story without latency.
const MOST_ON_THE_WAY_MS = 10;

const isWrite = ({ method }: Call) => method !== 'GET';

describe('changes', () => {
	it.each([
		['update', 8, 'seconds'],
		['updateRole', 8, 'seconds'],
		['update', 20, 'none'],
		['updateRole', 20, 'none'],
	] as const)(
		'end if executions of %s begin at once (%d) behind one request a second, with Retry-After: %s',
		async (operation, count, retryAfter) => {
			const executions = Array.from({ length: count }, (_, who) =>
				execution({ operation, option: 'skipUnchanged', rows: [row(who, 2)] }),
			);
			const habits = { ...USUAL, retryAfter, latencyMs: 10 };
			await checkExecutions(storyOf(executions, { members: count, gateway: 'oneASecond', habits }));
		},
	);

	it.each(['email', 'username'] as const)(
		'are told once if two executions give a member the same role By %s',
		async (by) => {
			const one = execution({ by, rows: [row(1, 2)] });
			await checkExecutions(storyOf([one, one]));
		},
	);

	it('replace no role that Only If Current Role Is does not name, if another execution has assigned it since', async () => {
		const protecting = execution({ by: 'email', option: 'onlyFrom', rows: [row(1, 1)] });
		const promoting = execution({ rows: [row(1, 2)], at: 100 });
		for (let seed = 0; seed < 20; seed++)
			await checkExecutions(storyOf([protecting, promoting], { seed }));
	});

	it('are sent before all other requests once a read has decided them', async () => {
		const executions = Array.from({ length: 4 }, (_, at) =>
			execution({ option: 'skipUnchanged', rows: [row(2 * at, 2), row(2 * at + 1, 2)] }),
		);
		const habits = { ...USUAL, latencyMs: 0 };
		let calls: Call[] = [];
		await checkExecutions(
			storyOf(executions, { members: 8, gateway: 'oneASecond', habits }),
			({ api }) => void (calls = api.calls),
		);
		const between = calls.filter(isWrite).map(({ path }) => {
			const [read] = calls.filter((call) => call.path === path && !call.isRefused);
			const [{ at }] = calls.filter((call) => call.path === path && isWrite(call));
			const from = (read.doneAt ?? 0) + MOST_ON_THE_WAY_MS;
			return calls.filter((call) => !isWrite(call) && call.at > from && call.at < at).length;
		});
		expect(between.length).toBeGreaterThanOrEqual(8);
		expect(Math.max(...between)).toBe(0);
	});

	it('are told in the item of a later attempt, with Continue', async () => {
		const rows = [unknown(), row(1, 2)];
		const plan = execution({ rows, option: 'skipUnchanged', continues: true, maxTries: 2 });
		await checkExecutions(storyOf([plan]));
	});

	it('are not sent again by a later attempt because the details contain the time', async () => {
		const batching = { batchSize: 1, batchInterval: 1_000 };
		const rows = [row(1, 2), unknown()];
		const plan = execution({ rows, hasTime: true, maxTries: 2, batching });
		await checkExecutions(storyOf([plan]));
	});

	it('are told by the failure of a later attempt that changes nothing itself', async () => {
		const batching = { batchSize: 1, batchInterval: 1_000 };
		const rows = [row(1, 2), row(2, 2), unknown()];
		const plan = execution({ rows, option: 'skipUnchanged', maxTries: 2, batching });
		await checkExecutions(storyOf([plan]), ({ api }) => {
			// The second attempt fails at its first request.
			api.force = ({ attempt, path }) =>
				attempt === 2 && path === '/roles' ? 'errorBefore' : undefined;
		});
	});

	it.each([
		['updateRole', 'username', 'was answered', false],
		['updateRole', 'username', 'was answered', true],
		['updateMembers', 'username', 'was answered', false],
		['update', 'msid', 'was lost', false],
		['updateMembers', 'msid', 'was lost', false],
	] as const)(
		'are told by the failure of a later attempt if the member has left since (%s By %s that %s, Continue: %s)',
		async (operation, by, answer, continues) => {
			const rows = [row(2, 2), row(1, 1)];
			const leavesOut = !continues;
			const plan = execution({ operation, by, rows, leavesOut, continues, maxTries: 2 });
			await checkExecutions(storyOf([plan]), ({ api, community }) => {
				const [, leaving, other] = community.members;
				const isAbout = ({ path, body }: Call, { userId, sid }: typeof other) =>
					JSON.stringify([path, body]).includes(`${userId}.${sid}`);
				api.force = (call) => {
					if (call.attempt > 1 && !leaving.isGone)
						community.change(leaving, 'isGone', true, 'admin');
					if (!isWrite(call) || call.attempt > 1) return undefined;
					if (isAbout(call, other)) return 'errorBefore';
					return isAbout(call, leaving) && answer === 'was lost' ? 'lostAfter' : undefined;
				};
			});
		},
	);

	it.each(['update', 'updateMembers'] as const)(
		'are told by the failure of a retry if the member has left since (%s)',
		async (operation) => {
			const plan = execution({ operation, rows: [row(1, 1)], leavesOut: true });
			await checkExecutions(storyOf([plan]), ({ api, community }) => {
				const [, leaving] = community.members;
				api.force = (call) => {
					if (!isWrite(call)) return undefined;
					const isFirst = api.calls.filter(isWrite).length === 1;
					if (!isFirst) community.change(leaving, 'isGone', true, 'admin');
					return isFirst ? 'lostAfter' : undefined;
				};
			});
		},
	);

	it('are not told of a deleted member from the record of another who has the number now', async () => {
		const rows = [row(5, 2), row(1, 2)];
		const plan = execution({ at: 10, rows, option: 'skipUnchanged', continues: true });
		const replaced = { at: 1, kind: 'replace', who: 0, value: 0 } as const;
		await checkExecutions({ ...storyOf([plan]), happenings: [replaced] });
	});

	it('count as made if their answer was lost and the record shows them', async () => {
		const plan = execution({ rows: [row(1, 2)], option: 'skipUnchanged', maxTries: 2 });
		await checkExecutions(storyOf([plan]), ({ api }) => {
			api.force = (call) => (call.attempt === 1 && isWrite(call) ? 'lostAfter' : undefined);
		});
	});
});

describe('update members', () => {
	it('changes the rows behind an unknown member, with Stop and Skip Member', async () => {
		const rows = [unknown(), row(1), row(2)];
		await checkExecutions(
			storyOf([execution({ operation: 'updateMembers', rows, leavesOut: true })]),
		);
	});

	it('sends at most 100 members in a request, also from one item', async () => {
		const world = new World({ ...PLAIN, members: 250 });
		const names = world.community.members.map(({ userId, sid }) => `${userId}.${sid}`);
		const told = await runNode(world, [
			{
				resource: 'board',
				operation: 'updateMembers',
				boardId: { __rl: true, mode: 'id', value: '1' },
				membersInput: 'text',
				addMembers: names.join(', '),
				options: {},
			},
		]);
		expect(itemsOf(told)[0].json.added).toHaveLength(250);
		expect(world.community.boards[0].members.size).toBe(250);
		const sizes = world.api.calls
			.filter(isWrite)
			.map(({ body }) => Object.keys(body.member_changes as object).length);
		expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
	});
});

describe('addresses', () => {
	it.each(['"u2@x.io"', "'u2@x.io'", 'u2@x.io.'])(
		'make no second account if they are written as %s',
		async (email) => {
			const world = new World(PLAIN);
			const told = await runNode(world, [
				{
					resource: 'user',
					operation: 'createOrGet',
					firstName: 'Ada',
					email,
					additionalFields: {},
					simplify: true,
					options: {},
				},
			]);
			expect(itemsOf(told)[0].json).toMatchObject({ msid: '2.s2', created: false });
			expect(world.community.members).toHaveLength(PLAIN.members);
		},
	);
});

describe('counts', () => {
	it('count all items if some of them failed, with Return Only Changed', async () => {
		const rows = [row(1, 0), row(2, 0), unknown()];
		const plan = execution({ rows, option: 'onlyChanged', continues: true });
		await checkExecutions(storyOf([plan]));
	});

	it('count a tag once whose lost create was found by Keep', async () => {
		const rows = [row(1, 1), row(2, 1)];
		const plan = execution({ operation: 'tag', rows });
		let isFirst = true;
		await checkExecutions(storyOf([plan]), ({ api }) => {
			api.force = ({ method }) => {
				const isLost = method === 'POST' && isFirst;
				isFirst &&= !isLost;
				return isLost ? 'lostAfter' : undefined;
			};
		});
	});

	it.each([
		['Update', [row(1, 0)]],
		['Keep', [row(1, 1), row(2, 1)]],
	])('count no tag as applied that another client created, with %s', async (_name, rows) => {
		const lost = execution({ operation: 'tag', rows });
		const other = execution({ operation: 'tag', rows: [row(1, 0)], worker: 1 });
		const faults = { ...NO_FAULTS, errorBefore: 1 };
		await checkExecutions(storyOf([lost, other], { faults, workers: 2 }), ({ api }) => {
			api.force = ({ by, method }) =>
				by === 'execution 1' && method !== 'GET' ? 'errorBefore' : undefined;
		});
	});

	it('count no tag as existing whose reading has failed, with Return Unchanged', async () => {
		const rows = [row(1, 0), row(1, 1)];
		const plan = execution({ operation: 'tag', rows, continues: true });
		const faults = { ...NO_FAULTS, errorBefore: 1 };
		await checkExecutions(storyOf([plan], { faults }), ({ api }) => {
			api.force = ({ path, method }) =>
				method === 'GET' && /^.tags.\d+$/.test(path) ? 'errorBefore' : undefined;
		});
	});

	it('have one word for the changes of two attempts', async () => {
		const rows = [unknown(), row(1, 2), row(2, 2)];
		let isDown = true;
		const plan = execution({ rows, by: 'username', continues: true, maxTries: 2 });
		await checkExecutions(storyOf([plan]), ({ api }) => {
			api.force = ({ path, method }) => {
				isDown &&= !(method === 'PATCH' && path === '/users/3.s3');
				return path === '/roles' && isDown ? 'errorBefore' : undefined;
			};
		});
	});

	it.each([
		['once', 1],
		['there and back', 0],
	])('promise in a dry run what rows do that change a member %s', async (_name, what) => {
		const rows = [row(1, 1), row(1, what)];
		await checkExecutions(storyOf([execution({ rows, option: 'dryRun' })]));
	});
});

describe('limits', () => {
	it.each([
		['one request in ten seconds', tokenBucket(0.1, 1), 20, 1, 2.5, 'none'],
		['one request a second', tokenBucket(1, 1), 20, 1, 2.5, 'none'],
		['ten at once and 100 a second', tokenBucket(100, 10), 1, 1_000, 1.8, 'none'],
		['ten in 100 ms, with Retry-After: 2', fixedWindow(10, 100, 2_000), 1, 1_000, 2.5, 'seconds'],
	] as const)(
		'of %s are kept, without a failure and in little more than their own time',
		async (_name, gateway, executions, items, times, retryAfter) => {
			const habits = { ...USUAL, latencyMs: 60, retryAfter };
			const { failed, seconds } = await readMany(gateway, { executions, items, setup: { habits } });
			const own = (executions * items) / gateway.perSecond;
			expect({ failed, isInTime: seconds < times * own, times: seconds / own }).toEqual({
				failed: 0,
				isInTime: true,
				times: expect.any(Number),
			});
		},
	);
});

describe('an API that refuses everything', () => {
	it('ends the attempts after two minutes, and a hint says so', async () => {
		const world = new World(PLAIN);
		world.api.gateway = { judge: () => ({ status: 503 }), perSecond: 1 };
		const member = {
			resource: 'user',
			operation: 'get',
			userId: { __rl: true, mode: 'id', value: '1.s1' },
			simplify: true,
			options: { maxRetries: 20 },
		};
		const told = await runNode(world, [member, member]);
		expect(world.clock.now).toBeLessThan(240_000);
		expect(told).toMatchObject({
			hints: [
				expect.stringContaining('2 of 2 items failed.'),
				expect.stringContaining("sooner than 'Max Retries' allows"),
			],
		});
	});
});

describe('deliveries', () => {
	it('reach the workflow at least once if three workers receive copies in one moment', async () => {
		for (let seed = 0; seed < 300; seed++) await checkDeliveries(threeCopies(seed));
	});
});

describe('polls', () => {
	const joins = (count: number) => Array(count).fill({ kind: 'join', who: 0, value: 0 }) as never[];
	const unread = (who: number, value: number) => ({ kind: 'unread', who, value }) as const;

	it.each([
		[403, 0],
		[404, 1],
		[500, 2],
	])('return two new members who cannot be read at the tenth poll (%d)', async (_status, value) => {
		const before = [...joins(2), unread(4, value), unread(5, value)];
		await checkPolls(pollsOf([round({ before })]));
	});

	it('return a member who is listed, although a read always answers 404', async () => {
		const before = [...joins(1), unread(4, 1)];
		await checkPolls(pollsOf([round({ before })], { gateway: 'none' }));
	});

	it('tell no change of a field that the poll before did not have', async () => {
		const parts = { watchesFor: 'memberChanged' } as const;
		await checkPolls(pollsOf([round(), round()], parts), ({ api, clock }) => {
			const isFirstPoll = () => clock.now < 10_000;
			api.inList = (member) =>
				isFirstPoll() && member.user_id === 3 ? { ...member, username: undefined } : member;
		});
	});

	it('tell each change once if requests of the polls fail', async () => {
		const faults = { errorBefore: 0.3, page: 0.5, lostBefore: 0.2 };
		for (let seed = 0; seed < 30; seed++) {
			const bad = round({
				before: [
					{ kind: 'rename', who: 1, value: seed },
					{ kind: 'status', who: 2, value: seed },
					{ kind: 'leave', who: 3, value: 0 },
				],
				faults: { ...PLAIN.faults, ...faults },
			});
			const parts = { seed, watchesFor: 'memberChanged' } as const;
			await checkPolls(pollsOf([bad, bad, round()], parts));
		}
	});
});
