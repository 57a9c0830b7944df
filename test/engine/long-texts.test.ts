import { byId, byMode } from '../support/community.mts';
import { runNode } from '../support/engine.mts';
import { useKnownRecords } from '../support/known-records.mts';
import { action } from '../support/operations.mts';

const sandbox = useKnownRecords();

// Unicode reorders combining marks in quadratic time: 100,000 pairs take ten seconds, and n8n does nothing else meanwhile.
const MARKS = `a${'\u0315\u0300'.repeat(100_000)}`;
const LIMIT_MS = 5_000;

async function inTime<T>(work: () => Promise<T>): Promise<T> {
	const start = performance.now();
	const result = await work();
	expect(performance.now() - start).toBeLessThan(LIMIT_MS);
	return result;
}

describe('Texts with very many combining marks', () => {
	it.each([
		['username', MARKS],
		['email', `${MARKS}@x.example`],
	])('ends a search by %s for 200,000 combining marks within seconds', async (by, name) => {
		const get = action('user.get', { userId: byMode(by, '={{ $json.name }}') });
		const { error } = await inTime(async () => await runNode(sandbox, get, { items: [{ name }] }));
		expect(error?.message).toMatch(/^No member has the/);
	});

	it('compares a text with 200,000 combining marks within seconds', async () => {
		const tag = sandbox.community.tags.get(9400);
		Object.assign(tag as object, { description: `${MARKS}b` });
		const update = action('tag.update', {
			tagId: byId('9400'),
			updateFields: { description: '={{ $json.description }}' },
			options: { dryRun: true },
		});
		const items = [{ description: MARKS }];
		const { items: planned } = await inTime(async () => await runNode(sandbox, update, { items }));
		expect(planned[0].json).toMatchObject({ action: 'update' });
	});
});
