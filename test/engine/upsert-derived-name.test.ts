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

test('Create or Update leaves alone a tag of the same letters that is shown as other words', async () => {
	const names = ['How-To', 'How To'];
	const items = [...names, 'How To'].map((name, index) => ({ name, text: String(index) }));

	await runNode(
		sandbox,
		{
			...{ resource: 'tag', operation: 'upsert', name: '={{ $json.name }}' },
			additionalFields: { description: '={{ $json.text }}' },
			options: { maxRequestsAtOnce: 1 },
		},
		{ items },
	);

	const held = [...sandbox.community.tags.values()].slice(-2);
	expect(held).toMatchObject([
		{ name: 'how-to', display_name: 'How-To', description: '0' },
		{ name: 'howto', display_name: 'How To', description: '2' },
	]);
});

test('Create or Update changes none of several tags of the same letters where the name is taken', async () => {
	const upsert = { resource: 'tag', operation: 'upsert' };
	for (const name of ['How-To', 'HowTo']) await runNode(sandbox, { ...upsert, name });
	const before = JSON.stringify([...sandbox.community.tags]);

	const { error } = await runNode(sandbox, {
		...{ ...upsert, name: 'How To' },
		additionalFields: { description: 'New' },
	});

	expect(error?.httpCode).toBe('409');
	expect(JSON.stringify([...sandbox.community.tags])).toBe(before);
});
