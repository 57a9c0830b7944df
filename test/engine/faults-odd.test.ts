import type { INodeParameters, OnError } from 'n8n-workflow';
import { asked, asNewcomer, range, useSandbox, withoutBackoff } from '../support/community.mts';
import { breakingClient } from '../support/breaking-client.mts';
import { createTag, getUser, updateComment } from '../support/operations.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox({ members: 160 });
withoutBackoff();

describe('a create that reached the server is not repeated when its connection then breaks', () => {
	it.each(['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ECONNRESET'])('with %s', async (code) => {
		const { posts, close, origin } = await breakingClient(code);
		try {
			const { error } = await runNode({ ...sandbox, baseUrl: origin }, createTag('Once'));
			expect(error?.message).toBe('The connection to the API broke before an answer came');
			expect(error?.description).toMatch(/^The record may have been created all the same/);
			expect(posts()).toBe(1);
		} finally {
			await close();
		}
	});
});

describe('an expression in the request options that fails for the first item', () => {
	const bad = "={{ $json.ms ?? $('Nowhere').item.json.ms }}";
	const items = [{ id: 101 }, { id: 102, ms: 5000 }, { id: 103, ms: 5000 }];
	it.each<[string, INodeParameters, OnError]>([
		['the time-out', { timeout: bad }, 'continueRegularOutput'],
		[
			'the interval',
			{ batching: { batch: { batchSize: 50, batchInterval: bad } } },
			'continueErrorOutput',
		],
	])('fails that item alone: %s', async (_, requestOptions, onError) => {
		const id = '={{ $json.id }}';
		const run = await runNode(sandbox, getUser(id), { items, onError, requestOptions });
		expect(run.error).toBeUndefined();
		const failed = onError === 'continueErrorOutput' ? run.failed : run.items.slice(0, 1);
		const given = onError === 'continueErrorOutput' ? run.items : run.items.slice(1);
		expect(failed.map(({ json }) => typeof json.error)).toEqual(['string']);
		expect(given.map(({ json }) => json.user_id)).toEqual([102, 103]);
	});
});

it.each<[unknown, number]>([
	['600', 2],
	[600, 2],
])('items are spaced alike by an interval given as %j', async (batchInterval, count) => {
	const requestOptions = {
		batching: { batch: { batchSize: 1, batchInterval } },
	} as INodeParameters;
	const items = range(101, 100 + count).map((id) => ({ id }));
	const began = performance.now();
	await runNode(sandbox, getUser('={{ $json.id }}'), { items, requestOptions });
	// A busy machine makes it only longer.
	expect(performance.now() - began).toBeGreaterThanOrEqual(590);
	const [first, second] = sandbox.requests.all.map(({ startedAt }) => startedAt);
	// Without the pause it is a few milliseconds; how long the first one takes to arrive is up to the machine.
	expect(second - first).toBeGreaterThanOrEqual(200);
});

it.each(['abc', '-5', '1e99', '2147483648'])(
	'a time-out of %s is refused by name',
	async (text) => {
		const { error } = await runNode(sandbox, createTag('Timely'), {
			requestOptions: { timeout: `={{ "${text}" }}` },
		});
		expect(error?.message).toBe('The time-out is not a number of milliseconds');
		expect(error?.description).toContain('Check "Timeout"');
		expect(asked(sandbox)).toEqual([]);
	},
);

describe('with Stop, nothing is sent after an answer that cannot be used', () => {
	const comments = () => [...sandbox.community.comments.keys()];
	it.each<[string, string, INodeParameters]>([
		['a list instead of a record', '[]', getUser('={{ $json.id }}')],
		['a text instead of a record', '"x"', updateComment('={{ $json.comment }}', 'Hello')],
		[
			'a text instead of a list',
			'"x"',
			{ resource: 'tag', operation: 'getForEntity', refType: 'USER', refId: '={{ $json.id }}' },
		],
	])('%s', async (_, text, parameters) => {
		sandbox.faults.add({ kind: 'text', text, after: 6, times: 1 });
		const ids = comments();
		const items = range(101, 120).map((id, index) => ({ id, comment: ids[index] }));
		const { error } = await runNode(
			sandbox,
			{ ...parameters, options: { maxRequestsAtOnce: 1, maxRetries: 0 } },
			{ ...asNewcomer(), items },
		);
		expect(error?.message).toBe('The answer did not come from the API');
		expect(error?.context?.itemIndex).toBe(6);
		expect(sandbox.requests.total).toBe(7);
	});
});

it.each([
	[500, 'Connect ECONNREFUSED 10.0.0.5:5432'],
	[400, 'The value ETIMEDOUT was not accepted'],
])('a reason of the API stays as it is though it holds a code: %d %s', async (status, message) => {
	sandbox.faults.add({ kind: 'status', status, message });
	const { error } = await runNode(sandbox, createTag('Coded'));
	expect(error?.message).toBe(message);
});

it('the advice about a search for a tag that does not advance names no setting that the operation lacks', async () => {
	sandbox.faults.add({ kind: 'stuck', answer: 'samePage', path: '/api/v1/tags/search' });
	const { error } = await runNode(sandbox, { resource: 'tag', operation: 'upsert', name: 'e' });
	expect(error?.message).toBe('The listing does not advance: the API gave the same page again');
	expect(error?.description).toMatch(/^Tell the operators of the community\./);
});

it.each([
	[7_200, '120 minutes'],
	[999_999_999_999_999, 'more than a day'],
])('a pause of %d s is told in words', async (retryAfter, time) => {
	sandbox.faults.add({ kind: 'status', status: 429, retryAfter });
	const { error } = await runNode(sandbox, createTag('Patient'), asNewcomer());
	expect(error?.description).toContain(`The API asks to wait for ${time} before the next request`);
});
