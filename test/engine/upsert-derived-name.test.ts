import { useSandbox } from '../support/community.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox();

test('Create or Update finds the tag whose name the API derived from the same words', async () => {
	const parameters = { resource: 'tag', operation: 'upsert', name: 'Weekly Round-Up!' };
	const description = (text: string) => ({
		...parameters,
		additionalFields: { description: text },
	});
	const created = await runNode(sandbox, description('first'));
	const updated = await runNode(sandbox, description('second'));
	expect(created.items[0].json).toMatchObject({
		...{ name: 'weeklyround-up', description: 'first' },
		created: true,
	});
	expect(updated.items[0].json).toEqual({
		...created.items[0].json,
		...{ description: 'second', created: false },
	});
});
