import type { INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../sandbox/faults.mts';
import { useSandbox, withoutBackoff } from '../support/community.mts';
import { createTag, getUser, updateComment, updateRole } from '../support/operations.mts';
import type { RunOptions } from './engine.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox({ members: 60 });
withoutBackoff();

const TAG = 'Unheard';
const tagsNamed = () =>
	[...sandbox.community.tags.values()].filter(({ display_name }) => display_name === TAG).length;
const [GET, POST] = [() => getUser('101'), () => createTag(TAG)];
const PUT = () => {
	const [id] = sandbox.community.comments.keys();
	return updateComment(String(id), 'Mended');
};
const PATCH = () => updateRole(sandbox.community.caller.msid, '5');

const OUTAGES: Record<string, Fault> = {
	'a cut connection': { kind: 'cut' },
	'a time-out': { kind: 'hang' },
	'500': { kind: 'status', status: 500 },
	'502 with a web page': { kind: 'html', status: 502 },
	'503': { kind: 'status', status: 503 },
	'504': { kind: 'html', status: 504 },
};
const REFUSALS: Record<string, Fault> = {
	'429': { kind: 'status', status: 429 },
	'429 with Retry-After in seconds': { kind: 'status', status: 429, retryAfter: 0 },
	'429 with Retry-After as a date': {
		kind: 'status',
		status: 429,
		retryAfter: { dateInSeconds: -1 },
	},
	'503 with Retry-After': { kind: 'status', status: 503, retryAfter: 0 },
};
const REJECTIONS = [400, 401, 403, 404, 405, 409, 418, 501];

const run = async (parameters: INodeParameters, options: RunOptions = {}) =>
	await runNode(sandbox, parameters, options);
// Long enough for an answer that does come; set only where one does not.
const inTime = ({ kind }: Fault): RunOptions =>
	kind === 'hang' ? { requestOptions: { timeout: 500 } } : {};
const sent = (method: string) => sandbox.requests.matching(method).length;

describe('a retry of a safe or idempotent request', () => {
	it.each(
		Object.entries({ GET, PUT, PATCH }).flatMap(([method, parameters]) =>
			Object.entries({ ...OUTAGES, ...REFUSALS }).map(
				([what, fault]) => [method, what, parameters, fault] as const,
			),
		),
	)('%s after %s', async (method, _, parameters, fault) => {
		sandbox.faults.add({ ...fault, times: 1 });
		const { items, error } = await run(parameters(), inTime(fault));
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(sent(method)).toBe(2);
	});
});

describe('a retry of a create', () => {
	it.each(Object.entries(REFUSALS))('follows a refusal: %s', async (_, fault) => {
		sandbox.faults.add({ ...fault, times: 2 });
		const { error } = await run(POST());
		expect(error).toBeUndefined();
		expect([sent('POST'), tagsNamed()]).toEqual([3, 1]);
	});

	it.each(
		Object.entries(OUTAGES).flatMap(([what, fault]) =>
			[true, false].map((applied) => [what, applied ? 'after' : 'before', fault, applied] as const),
		),
	)('is never repeated after %s that came %s it was done', async (_what, _when, fault, applied) => {
		sandbox.faults.add({ ...fault, applied, times: 1 } as Fault);
		const { error } = await run(POST(), inTime(fault));
		expect(error?.description).toBe(
			'The record may have been created all the same, so this was not repeated: look in the community before you run it again.',
		);
		expect([sent('POST'), tagsNamed()]).toEqual([1, applied ? 1 : 0]);
	});

	it('that was refused to the end is known not to have happened', async () => {
		sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 0 });
		const { error } = await run({ ...POST(), options: { maxRetries: 1 } });
		expect(error?.description).toMatch(/^The API limits how many requests it takes\./);
		expect(tagsNamed()).toBe(0);
	});
});

describe('a request that the API rejects', () => {
	it.each(REJECTIONS)('with %d is not sent again', async (status) => {
		sandbox.faults.add({ kind: 'status', status });
		for (const parameters of [GET, POST, PUT, PATCH]) await run(parameters());
		expect(sandbox.requests.total).toBe(4);
	});
});

describe('the number of retries', () => {
	const busy = { kind: 'status', status: 503, message: 'busy' } as const;

	it.each([0, 1, 3])('is at most "Max Retries": %d', async (maxRetries) => {
		sandbox.faults.add(busy);
		const { error } = await run({ ...GET(), options: { maxRetries } });
		expect(sandbox.requests.total).toBe(maxRetries + 1);
		const tried = ` Tried ${maxRetries + 1} times, waiting 0.0 s in between.`;
		expect(error?.message).toBe('Busy');
		expect(error?.description).toBe(
			`The community's server is busy or being maintained. Try again later.${maxRetries > 0 ? tried : ''}`,
		);
	});

	it('is five by default', async () => {
		sandbox.faults.add(busy);
		await run(GET());
		expect(sandbox.requests.total).toBe(6);
	});

	it('counts per request, not per run', async () => {
		sandbox.faults.add({ ...busy, times: 6 });
		const items = Array.from({ length: 3 }, () => ({}));
		const { error } = await run(
			{ ...GET(), options: { maxRetries: 2, maxRequestsAtOnce: 3 } },
			{ items },
		);
		expect(error).toBeUndefined();
		expect(sandbox.requests.total).toBe(9);
	});
});

describe('a pause that the API asks for', () => {
	it('holds every request, not just the one that was refused', async () => {
		sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 1, times: 1 });
		const parameters = { ...GET(), options: { maxRequestsAtOnce: 1 } };
		const { error } = await run(parameters, { items: [{}, {}, {}] });
		expect(error).toBeUndefined();
		const [refused, ...later] = sandbox.requests.all;
		expect(later).toHaveLength(3);
		// Timers may be early by a fraction of a millisecond, never by more.
		const early = later.filter(({ startedAt }) => startedAt < (refused.endedAt ?? 0) + 990);
		expect(early).toEqual([]);
	});

	it('is not waited for when it is too long, and holds no other request', async () => {
		sandbox.faults.add({
			kind: 'status',
			status: 429,
			retryAfter: 3600,
			message: 'later',
			times: 1,
		});
		const { items } = await run(
			{ ...GET(), options: { maxRequestsAtOnce: 1 } },
			{ items: [{}, {}], onError: 'continueRegularOutput' },
		);
		expect(items.map(({ json }) => json.error ?? json.user_id)).toEqual(['Later', 101]);
		expect(sandbox.requests.total).toBe(2);
	});
});
