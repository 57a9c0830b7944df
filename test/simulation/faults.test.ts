import { USUAL, type Call } from './api.mts';
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

	it('count as made if their answer was lost and the record shows them', async () => {
		const plan = execution({ rows: [row(1, 2)], option: 'skipUnchanged', maxTries: 2 });
		await checkExecutions(storyOf([plan]), ({ api }) => {
			api.force = (call) => (call.attempt === 1 && isWrite(call) ? 'lostAfter' : undefined);
		});
	});
});

describe('update members', () => {
	it('changes the rows behind an unknown member, with Stop and Leave Out', async () => {
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

	it('promise in a dry run what the rows about one member would do together', async () => {
		const rows = [row(1, 1), row(1, 1), row(2, 2), row(2, 0)];
		await checkExecutions(storyOf([execution({ rows, option: 'dryRun' })]));
	});
});

describe('limits', () => {
	it.each([
		['one request in ten seconds', tokenBucket(0.1, 1), 20, 1, 2.5, 'none'],
		['one request a second', tokenBucket(1, 1), 20, 1, 2.5, 'none'],
		['ten at once and 100 a second', tokenBucket(100, 10), 1, 1_000, 1.8, 'none'],
		['ten in 100 ms, with Retry-After: 2', fixedWindow(10, 100, 2_000), 1, 1_000, 2, 'seconds'],
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
	])('give two new members who cannot be read at the tenth poll (%d)', async (_status, value) => {
		const before = [...joins(2), unread(4, value), unread(5, value)];
		await checkPolls(pollsOf([round({ before })]));
	});

	it('give a member who is listed, although a read always answers 404', async () => {
		const before = [...joins(1), unread(4, 1)];
		await checkPolls(pollsOf([round({ before })], { gateway: 'none' }));
	});

	it('tell no change of a field that the poll before did not have', async () => {
		const faults = { errorBefore: 0.3, page: 0.5, lostBefore: 0.2 };
		for (let seed = 0; seed < 150; seed++) {
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
