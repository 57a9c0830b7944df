import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { Clock } from './clock.mts';
import { checkDeliveries, type DeliveryStory } from './deliveries.mts';
import {
	execution,
	mixedOf,
	pollsOf,
	round,
	row,
	storyOf,
	threeCopies,
	unknown,
} from './directed.mts';
import { tell, type ExecutionStory } from './executions.mts';
import { checkMixed } from './mixed.mts';
import type { Nodes } from './process.mts';
import { checkPolls } from './polls.mts';
import { checkExecutions, tellOnce } from './run.mts';
import { freshness, type Arrange, type World } from './world.mts';

type Execute = (functions: IExecuteFunctions, world: World) => Promise<INodeExecutionData[]>;

/** Replaces nodes of the first worker. */
function withNodes(nodesOf: (world: World) => object): Arrange {
	return (world) => {
		const process = world.worker(0);
		const nodes = { ...process.nodes, ...nodesOf(world) } as Nodes;
		Object.defineProperty(process, 'nodes', { value: nodes });
	};
}

/** An action node that does something else than the real one. */
function withExecute(execute: Execute): Arrange {
	return withNodes((world) => ({
		CommunityPlatform: {
			async execute(this: IExecuteFunctions) {
				return [await execute(this, world)];
			},
		},
	}));
}

async function send(
	functions: IExecuteFunctions,
	method: 'GET' | 'PATCH' | 'POST',
	path: string,
	body = {},
) {
	const url = `https://x.example/api/v1${path}`;
	const options = { method, url, body };
	await functions.helpers.httpRequestWithAuthentication.call(functions, '', options);
}

const item = (json: IDataObject, at = 0): INodeExecutionData => ({
	json,
	pairedItem: { item: at },
});
const setRole = async (functions: IExecuteFunctions) =>
	await send(functions, 'PATCH', '/users/2.s2', {
		action: 101,
		data: { role_id: 3 },
		details: 'e1i0',
	});
const done = { msid: '2.s2', role_id: 3, success: true };
const oneChange = storyOf([execution({ rows: [row(1, 2)], option: 'skipUnchanged' })]);

describe('the checks', () => {
	it('accept what the real nodes do', async () => {
		await checkExecutions(oneChange);
		await checkPolls(pollsOf([round({ before: [{ kind: 'join', who: 0, value: 0 }] })]));
		await checkDeliveries({ ...threeCopies(1), workers: 1 });
		await checkMixed(mixedOf());
	});

	it("accept a failure that suggests another row's member", async () => {
		const named = execution({ by: 'username', at: 3, rows: [row(9), row(0)] });
		const replaced = { at: 2, kind: 'replace', who: 8, value: 0 } as const;
		const story = { ...storyOf([named], { members: 10 }), happenings: [replaced] };
		await checkExecutions(story);
	});

	const broken: Array<[string, RegExp, ExecutionStory, Execute]> = [
		[
			'a record that is created twice',
			/item 0 was created 2 times/,
			storyOf([execution({ operation: 'post', rows: [row(1)] })]),
			async (functions) => {
				const body = { board_id: 1, headline: 'e1i0', content: 'x', authors: ['2.s2'] };
				await send(functions, 'POST', '/posts', body);
				await send(functions, 'POST', '/posts', body);
				return [item({ post_id: 1 })];
			},
		],
		[
			'a change that is told, but was not made',
			/the API has carried out no change/,
			oneChange,
			async () => [item({ ...done, changed: true, previous_role_id: 1 })],
		],
		[
			'a change that is made, but not told',
			/says changed: false, but it changed the role/,
			oneChange,
			async (functions) => {
				await setRole(functions);
				return [item({ ...done, changed: false, previous_role_id: 1 })];
			},
		],
		[
			'a wrong role before',
			/says the role before was 4/,
			oneChange,
			async (functions) => {
				await setRole(functions);
				return [item({ ...done, changed: true, previous_role_id: 4 })];
			},
		],
		[
			'a failure that says "Nothing was changed" after a change',
			/"Nothing was changed", but the API has changed 1 items/,
			oneChange,
			async (functions) => {
				await setRole(functions);
				throw Object.assign(new Error('Failed'), { description: 'Nothing was changed.' });
			},
		],
		[
			'an item without an answer',
			/item 1 \(3\.s3\) has no item, no failure/,
			storyOf([execution({ rows: [row(1, 0), row(2, 0)] })]),
			async (functions) => {
				await setRole(functions);
				return [item(done)];
			},
		],
		[
			'a change in a dry run',
			/a dry run has sent a change/,
			storyOf([execution({ rows: [row(1, 2)], option: 'dryRun' })]),
			async (functions) => {
				await setRole(functions);
				return [item({ ...done, action: 'update', dry_run: true })];
			},
		],
		[
			'a member who is left out although they are there',
			/is left out although the member is there/,
			storyOf([execution({ operation: 'get', rows: [row(1)], leavesOut: true })]),
			async (functions) => {
				const message =
					'1 member was not found, so the node left them out: 2.s2. Check the spelling.';
				functions.addExecutionHints({ message });
				return [];
			},
		],
		[
			'a wrong count in a hint',
			/2 items are done, the hint counts 1/,
			storyOf([execution({ rows: [row(1, 2), row(1, 2)] })]),
			async (functions) => {
				await setRole(functions);
				await send(functions, 'PATCH', '/users/2.s2', {
					action: 101,
					data: { role_id: 3 },
					details: 'e1i1',
				});
				functions.addExecutionHints({ message: '1 of 2 updated.' });
				return [item(done), item(done, 1)];
			},
		],
		[
			'an execution that waits for nothing',
			/deadlock/,
			oneChange,
			async () => await new Promise(() => {}),
		],
		[
			'an execution that never ends',
			/has not ended after/,
			oneChange,
			async (functions) => {
				for (;;) await send(functions, 'GET', '/users/2.s2');
			},
		],
		[
			'a timer that is left behind',
			/has left 1 timers/,
			storyOf([execution({ operation: 'get', rows: [row(1)] })]),
			async (_, world) => {
				void world.clock.sleep(60_000, world.worker(0));
				return [item({ msid: '2.s2' })];
			},
		],
		[
			'a listener that is left behind',
			/1 listeners are left/,
			storyOf([execution({ operation: 'get', rows: [row(1)] })]),
			async (functions) => {
				functions.getExecutionCancelSignal()?.addEventListener('abort', () => {});
				return [item({ msid: '2.s2' })];
			},
		],
		[
			'a request after n8n has canceled the execution',
			/was sent after the execution was canceled/,
			storyOf([execution({ rows: [row(1, 2)], cancelAfterMs: 100 })]),
			async (functions, world) => {
				await world.clock.sleep(500, world.worker(0));
				await setRole(functions);
				return [item(done)];
			},
		],
	];

	it.each(broken)('report %s', async (_name, promise, story, execute) => {
		const telling = checkExecutions(story, withExecute(execute));
		await expect(telling).rejects.toThrow(promise);
	});

	it('report posts in another order', async () => {
		const story = storyOf([execution({ operation: 'post', rows: [row(1), row(1)] })]);
		const execute: Execute = async (functions) => {
			for (const at of [1, 0]) {
				const headline = `e1i${at}`;
				const body = { board_id: 1, headline, content: 'x', authors: ['2.s2'] };
				await send(functions, 'POST', '/posts', body);
			}
			return [0, 1].map((at) => item({ post_id: at + 1 }, at));
		};
		const telling = checkExecutions(story, withExecute(execute));
		await expect(telling).rejects.toThrow(/posts are not in their order/);
	});

	it.each([
		['lost', /event 0 is lost/, () => [[]]],
		[
			'returned twice',
			/event 0 is returned 3 times by one process/,
			(functions: IExecuteFunctions) => [functions.getInputData()],
		],
	])('report a delivery that is %s', async (_name, promise, execute) => {
		const story: DeliveryStory = { ...threeCopies(1), workers: 1 };
		const arrange = withNodes((world) => ({
			CommunityPlatformTrigger: {
				webhook: world.worker(0).nodes.CommunityPlatformTrigger.webhook,
				async execute(this: IExecuteFunctions) {
					return await Promise.resolve(execute(this));
				},
			},
		}));
		await expect(checkDeliveries(story, arrange)).rejects.toThrow(promise);
	});

	it.each([
		['loses', /6\.s6 joined and is never returned/, 0],
		['returns twice', /6\.s6 is returned 2 times/, 2],
	])('report a trigger that %s a member', async (_name, promise, times) => {
		const story = pollsOf([round({ before: [{ kind: 'join', who: 0, value: 0 }] })]);
		const item = { json: { msid: '6.s6' } };
		let polls = 0;
		const arrange = withNodes(() => ({
			CommunityPlatformPollingTrigger: {
				async poll() {
					polls++;
					const isDue = polls > 1 && polls <= 1 + times;
					return await Promise.resolve(isDue ? [[item]] : null);
				},
			},
		}));
		await expect(checkPolls(story, arrange)).rejects.toThrow(promise);
	});

	const nothing = async () => await Promise.resolve([[]]);
	it.each([
		['an execution', /has no item, no failure/, 'CommunityPlatform', { execute: nothing }],
		['a delivery', /event 1 is lost/, 'CommunityPlatformTrigger', { execute: nothing }],
		[
			'a poll',
			/joined and is never returned/,
			'CommunityPlatformPollingTrigger',
			{ poll: nothing },
		],
	] as const)(
		'report %s that tells nothing beside the others',
		async (_name, promise, node, methods) => {
			const arrange = withNodes((world) => {
				const real = world.worker(0).nodes[node];
				return { [node]: Object.assign(Object.create(real) as object, methods) };
			});
			await expect(checkMixed(mixedOf(), arrange)).rejects.toThrow(promise);
		},
	);
});

describe('the clock', () => {
	it('advances in the order of time, then of asking', async () => {
		const clock = new Clock();
		const seen: string[] = [];
		const wait = async (ms: number, name: string) => {
			await clock.sleep(ms, clock);
			seen.push(`${name} ${clock.now}`);
		};
		const all = [
			wait(20, 'a'),
			wait(10, 'b'),
			wait(20, 'c'),
			wait(5, 'd').then(() => wait(5, 'e')),
		];
		await clock.run(Promise.all(all), 100, 'The test');
		expect(seen).toEqual(['d 5', 'b 10', 'e 10', 'a 20', 'c 20']);
	});
});

describe('a story', () => {
	const rows = [unknown(), row(1, 2), row(2, 1)];
	const hard = storyOf([
		execution({ rows, continues: true, maxTries: 2, by: 'email' }),
		execution({ rows, worker: 1, option: 'skipUnchanged', by: 'username' }),
	]);
	const faults = { ...hard.faults, lostAfter: 0.2, errorBefore: 0.2 };
	const story: ExecutionStory = { ...hard, workers: 2, seed: 7, gateway: 'chance', faults };

	it('is the same each time, also with modules that no other story has used', async () => {
		const first = await tell(story);
		first.world.end();
		const second = await tell(story);
		freshness.isFresh = true;
		const third = await tell(story).finally(() => {
			freshness.isFresh = false;
		});
		const [words, ...others] = [first, second, third].map(({ world }) =>
			world.chronicle.inWords(Infinity),
		);
		expect(words).toContain('lost');
		expect(others).toEqual([words, words]);
	});

	it('is told with its seed and in words if it breaks a promise', async () => {
		const arrange = withExecute(async () => [item({ ...done, changed: true })]);
		const check = async (told: ExecutionStory) => await checkExecutions(told, arrange);
		await expect(tellOnce(oneChange, check)).rejects.toThrow(
			/- execution 1 \(updateRole\).*\n\nThe story:\n0\.0 s execution 1 \(worker 1\) runs/s,
		);
	});
});

describe('Retry On Fail', () => {
	// As n8n-core's dist/execution-engine/workflow-execute.js counts, see `withRetries`.
	it.each([
		['throws', 1, 3, 2],
		['throws', 5, 3, 3],
		['returns an error first', 1, 3, 2],
		['returns an error first', 5, 3, 3],
		['returns an error first', 5, 1, 1],
	])('runs a node again that %s (%d times, at most %d)', async (how, failures, maxTries, runs) => {
		let count = 0;
		const execute: Execute = async () => {
			if (++count > failures) return [item(done)];
			if (how === 'throws') throw new Error('Failed');
			return await Promise.resolve([item({ error: 'Failed' })]);
		};
		const plan = execution({ operation: 'get', rows: [row(1)], maxTries, continues: true });
		await tell(storyOf([plan]), withExecute(execute));
		expect(count).toBe(runs);
	});
});
