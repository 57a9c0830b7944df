import type { INodeParameters } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { until } from '../../dev/tools/wait.mts';
import { useSandboxForEach, withoutBackoff } from '../support/community.mts';
import { logged } from '../support/logs.mts';
import { createTag, roleUpdates } from '../support/operations.mts';
import { serve } from '../support/servers.mts';
import { runNode } from './engine.mts';

const sandbox = useSandboxForEach();
withoutBackoff();
beforeEach(() => {
	logged.length = 0;
});

const updateRoles = (count: number, options: INodeParameters = {}) =>
	roleUpdates(sandbox, count, { options });

const told = () => logged.filter((line) => line.includes('Community Platform:')).join();

it.each([429, 503])('a pause that a %d asks for holds every request', async (status) => {
	const { parameters, items } = updateRoles(40, { maxRequestsAtOnce: 3 });
	sandbox.faults.add({ kind: 'status', status, retryAfter: 1, after: 10, times: 1 });
	const { error } = await runNode(sandbox, parameters, { items });
	expect(error).toBeUndefined();
	const refused = sandbox.requests.all.find((request) => request.status === status);
	const endedAt = refused?.endedAt ?? NaN;
	const meanwhile = sandbox.requests.all.filter(
		({ startedAt }) => startedAt > endedAt && startedAt < endedAt + 950,
	);
	// What was sent before the answer arrived cannot be held any more.
	expect(meanwhile.length).toBeLessThan(3);
	expect(sandbox.requests.statuses['200']).toBe(40);
	expect(told()).toMatch(/1 request sent again; 1 pause, 1\.0 s/);
});

it.each([429, 503])(
	'a %d that names no pause slows down what follows, creates that are not repeated included',
	async (status) => {
		sandbox.faults.add({ kind: 'html', status, method: 'POST' });
		const items = Array.from({ length: 12 }, (_, index) => ({ name: `Tag${index}` }));
		const parameters = { ...createTag('={{ $json.name }}'), options: { maxRetries: 0 } };
		const { items: given } = await runNode(sandbox, parameters, {
			items,
			onError: 'continueRegularOutput',
		});
		expect(given).toHaveLength(12);
		expect(sandbox.requests.total).toBe(12);
		expect(told()).toMatch(/\d+ pauses/);
	},
);

it('refusals now and then, without a pause, slow nothing down', async () => {
	const { parameters, items } = updateRoles(100);
	sandbox.faults.add({ kind: 'status', status: 429, every: 33 });
	const { error } = await runNode(sandbox, parameters, { items });
	expect(error).toBeUndefined();
	expect(sandbox.requests.statuses['200']).toBe(100);
	// Three refusals, of which one request can have several.
	expect(told()).toMatch(/\b[123] requests? sent again/);
	expect(told()).not.toMatch(/held|pace/);
});

it('a Retry-After of more than ten minutes is reported, not waited for, and holds no other request', async () => {
	const { parameters, items } = updateRoles(24);
	sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 3_600 });
	const { items: given } = await runNode(sandbox, parameters, {
		items,
		onError: 'continueRegularOutput',
	});
	expect(given).toHaveLength(24);
	const advice = given.map(({ json }) => String(json.message));
	expect(new Set(advice).size).toBe(1);
	expect(advice[0]).toContain('The API asks to wait for 60 minutes before the next request');
	expect(sandbox.requests.total).toBe(24);
	expect(told()).toBe('');
});

it('a long Retry-After changes the advice only where the API refused for load', async () => {
	const { parameters, items } = updateRoles(1);
	sandbox.faults.add({ kind: 'status', status: 403, retryAfter: 3_600 });
	const { error } = await runNode(sandbox, parameters, { items });
	expect(error?.description).toContain('API Key');
	expect(error?.description).not.toContain('asks to wait');
});

it('an item that was held and then fails at its first try says how long that took', async () => {
	const { parameters, items } = updateRoles(2, { maxRequestsAtOnce: 1 });
	sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 1, times: 1 });
	sandbox.faults.add({ kind: 'status', status: 400, pattern: items[1].id.replace('.', '\\.') });
	const { items: given } = await runNode(sandbox, parameters, {
		items,
		onError: 'continueRegularOutput',
	});
	const texts = given.map(({ json }) => String(json.message));
	expect(texts[1]).toMatch(
		/It was sent after 1\.\d s, because the API had refused other requests before\./,
	);
});

it('a run that is cancelled in a pause does not claim to have sent anything again', async () => {
	const { parameters, items } = updateRoles(10);
	sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 60 });
	let cancel = () => {};
	const running = runNode(sandbox, parameters, { items, onStart: (stop) => (cancel = stop) });
	const refused = async () => sandbox.requests.statuses['429'] > 0;
	await until('a refusal', refused, 10_000, 1);
	// Until the node has seen it, too.
	await sleep(50);
	cancel();
	await running;
	expect(told()).not.toContain('sent again');
});

it('pages beyond the end of a listing are not asked for again once it has ended', async () => {
	let release = () => {};
	const hasEnded = new Promise<void>((resolve) => (release = resolve));
	let reachBeyond = () => {};
	const isBeyond = new Promise<void>((resolve) => (reachBeyond = resolve));
	const server = await serve((request, response) => {
		const page = Number(new URL(request.url ?? '', 'http://127.0.0.1').searchParams.get('page'));
		const answer = (status: number, body: unknown) => {
			response.writeHead(status, {
				'content-type': 'application/json',
				has_more: page < 8 ? '1' : '0',
			});
			response.end(JSON.stringify(body));
		};
		if (page > 8) reachBeyond();
		if (page > 8) void hasEnded.then(() => answer(500, {}));
		else if (page === 8) void isBeyond.then(() => answer(200, [{ board_id: page }]));
		else answer(200, [{ board_id: page }]);
	});
	try {
		const { items, error } = await runNode(
			{ ...sandbox, baseUrl: server.origin },
			{ resource: 'board', operation: 'getAll', returnAll: true },
		);
		expect([items.length, error]).toEqual([8, undefined]);
		release();
		// With no pause between two tries, all of them would follow at once.
		await sleep(300);
		const asked = server.requests.map(({ url }) => url);
		expect(asked.length).toBeGreaterThan(8);
		expect(asked.length).toBeLessThanOrEqual(8 + 20);
		expect(new Set(asked).size).toBe(asked.length);
	} finally {
		await server.close();
	}
});
