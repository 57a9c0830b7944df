import type { INodeParameters } from 'n8n-workflow';
import { useSandboxForEach, withoutBackoff } from '../support/community.mts';
import { logged } from '../support/logs.mts';
import { createTag, roleUpdates } from '../support/operations.mts';
import { runNode } from './engine.mts';

const sandbox = useSandboxForEach();
withoutBackoff();
beforeEach(() => {
	logged.length = 0;
});

const updateRoles = (count: number, options: INodeParameters = {}) =>
	roleUpdates(sandbox, count, { from: 1, options });

const told = () => logged.filter((line) => line.includes('Community Platform:')).join();

it('a pause that the API asks for holds every request', async () => {
	const status = 503;
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
	// Whether the owner of the key is among them takes a read.
	expect(sandbox.requests.statuses['200']).toBe(41);
	expect(told()).toMatch(/1 request sent again; 1 pause, 1\.0 s/);
});

it('a refusal that names no pause slows down what follows, creates that are not repeated included', async () => {
	sandbox.faults.add({ kind: 'html', status: 429, method: 'POST' });
	const items = Array.from({ length: 12 }, (_, index) => ({ name: `Tag${index}` }));
	const parameters = { ...createTag('={{ $json.name }}'), options: { maxRetries: 0 } };
	const { items: given } = await runNode(sandbox, parameters, {
		items,
		onError: 'continueRegularOutput',
	});
	expect(given).toHaveLength(12);
	expect(sandbox.requests.total).toBe(12);
	expect(told()).toMatch(/\d+ pauses/);
});
