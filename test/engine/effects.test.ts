import { resources } from '../../nodes/CommunityPlatform/actions/index.ts';
import type { Operation } from '../../nodes/CommunityPlatform/actions/operation.ts';
import { useSandbox, withoutBackoff } from '../support/community.mts';
import { runNode } from '../support/engine.mts';
import { action } from '../support/operations.mts';

const sandbox = useSandbox();
withoutBackoff();

const write = resources
	.find(({ value }) => value === 'comment')!
	.operations.find(({ value }) => value === 'create')!;
const usual = { ...write };
afterEach(() => void Object.assign(write, usual));

// As a new operation of the table, whose POST is only acknowledged.
const become = (operation: Partial<Operation>) => void Object.assign(write, operation);
const post = (options = {}) => action('comment.create', { postId: '1', content: 'Hello', options });
const posts = () => sandbox.requests.all.filter(({ method }) => method === 'POST');
const acknowledge = () =>
	sandbox.faults.add({ kind: 'text', method: 'POST', text: '{"message":"OK"}' });

describe('a POST that the API only acknowledges', () => {
	it.each(['creates', 'sets'] as const)('returns the acknowledgement if it %s', async (effect) => {
		become({ effect, record: undefined });
		acknowledge();
		const { items, error } = await runNode(sandbox, post());
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual([{ message: 'OK' }]);
		expect(posts()).toHaveLength(1);
	});

	it.each([
		['creates', 'create'],
		['sets', 'update'],
	] as const)('that %s is planned by a dry run as %s, and not sent', async (effect, planned) => {
		become({ effect, record: undefined });
		const { items, error } = await runNode(sandbox, post({ dryRun: true }));
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ action: planned, dry_run: true });
		expect(posts()).toEqual([]);
	});

	it.each([
		['creates', 1],
		['sets', 2],
	] as const)('that %s is sent %d time(s) if the first answer is lost', async (effect, times) => {
		become({ effect, record: undefined });
		sandbox.faults.add({ kind: 'cut', method: 'POST', times: 1 });
		acknowledge();
		const { error } = await runNode(sandbox, post());
		expect(posts()).toHaveLength(times);
		expect(error === undefined).toBe(effect === 'sets');
	});
});
