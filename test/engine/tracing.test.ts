import type { INodeParameters } from 'n8n-workflow';
import { asNewcomer, range, useSandbox, withoutBackoff } from '../support/community.mts';
import { getUser } from '../support/operations.mts';
import type { RunOptions } from './engine.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox({ members: 60 });
withoutBackoff();

const all = getUser('={{ $json.id }}');
const items = range(101, 110).map((id) => ({ id }));

/** What n8n's tracing is told of a run, without the prefix. */
async function tracedOf(parameters: INodeParameters, options: RunOptions = {}) {
	const { run, error } = await runNode(sandbox, parameters, { ...asNewcomer(), ...options });
	const [{ metadata }] = run.data.resultData.runData.Community;
	const figures = Object.entries(metadata?.tracing ?? {}).map(([name, value]) => {
		expect(name).toMatch(/^community_platform\./);
		return [name.replace('community_platform.', ''), value];
	});
	return { figures: Object.fromEntries(figures) as Record<string, number>, error };
}

describe('n8n is told for its tracing', () => {
	it('of a run that nothing held up', async () => {
		const { figures } = await tracedOf(all, { items });
		const nothing = { refused: 0, repeated: 0, paused_seconds: 0, pages: 0, unchanged: 0 };
		expect(figures).toEqual({ requests: 10, ...nothing, concurrency: expect.any(Number) });
	});

	it('what is the most at once, as far as the run uses it', async () => {
		const { figures } = await tracedOf({ ...all, options: { maxRequestsAtOnce: 3 } }, { items });
		expect(figures.concurrency).toBe(3);
	});

	it('how many requests were refused and sent again, how long nothing was sent, and how fast it goes on', async () => {
		sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 1, times: 1 });
		const { figures } = await tracedOf(getUser('101'));
		expect(figures).toMatchObject({ requests: 2, refused: 1, repeated: 1, paused_seconds: 1 });
		expect(figures.requests_per_second).toBeGreaterThan(0);
	});

	it('how many pages were read', async () => {
		const parameters = { resource: 'tag', operation: 'getAll', returnAll: true };
		const { figures } = await tracedOf(parameters);
		expect(figures.pages).toBe(Math.ceil(sandbox.community.tags.size / 50));
	});

	it('of a run that fails', async () => {
		sandbox.faults.add({ kind: 'status', status: 403, times: 1 });
		const { figures, error } = await tracedOf(getUser('101'));
		expect(error).toBeDefined();
		expect(figures).toMatchObject({ requests: 1, refused: 0 });
	});

	it('of a run that cannot begin', async () => {
		const credential = { baseUrl: '' };
		const { figures, error } = await tracedOf(getUser('101'), { credential });
		expect(error?.message).toBe('The base URL is empty');
		const nothing = { refused: 0, repeated: 0, paused_seconds: 0, pages: 0, unchanged: 0 };
		expect(figures).toEqual({ requests: 0, ...nothing });
	});

	it('of all communities of a run together, whose limits differ', async () => {
		const { figures } = await tracedOf(all, {
			items,
			credentialOf: (item) => ({ sourceSystem: `traced ${item % 2}` }),
		});
		expect(figures.requests).toBe(10);
		expect(figures).not.toHaveProperty('concurrency');
	});
});
