import { asked, byId, useSandbox } from '../support/community.mts';
import { action, getUser, updateRole } from '../support/operations.mts';
import { runNode } from '../support/engine.mts';

const sandbox = useSandbox({ members: 60 });

// Each of them throws for the item without an id, and returns the id for the others.
const EXPRESSIONS = {
	'a node that does not exist': "={{ $json.id ?? $('Nowhere').item.json.id }}",
	'a function that does not exist': '={{ $json.id ?? $json.nothing.at(0).id }}',
};
const items = [{ id: 101 }, {}, { id: 102 }];

describe.each(Object.entries(EXPRESSIONS))('an expression that fails for one item: %s', (_, id) => {
	it('fails only that item with "Continue"', async () => {
		const { items: output, error } = await runNode(sandbox, getUser(id), {
			items,
			onError: 'continueRegularOutput',
		});
		expect(error).toBeUndefined();
		expect(output.map(({ json }) => json.user_id)).toEqual([101, undefined, 102]);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		const { error: reason, message, details } = output[1].json;
		for (const text of [reason, message]) expect(text).toMatch(/^\S.+/);
		expect(details).toBeUndefined();
	});

	it('is sent to the error output with "Continue (using error output)"', async () => {
		const { items: output, failed } = await runNode(sandbox, getUser(id), {
			items,
			onError: 'continueErrorOutput',
		});
		expect(output.map(({ json }) => json.user_id)).toEqual([101, 102]);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	});

	it('ends the execution with "Stop" before any request', async () => {
		const { error } = await runNode(sandbox, updateRole(id, '5'), { items });
		expect(error?.message).toMatch(/ \(item 2\)$/);
		expect(error?.context?.itemIndex).toBe(1);
		expect(asked(sandbox)).toEqual([]);
	});
});

describe("n8n's own explanation of an expression", () => {
	const ofNode = (name: string) => getUser(`={{ $json.id ?? $('${name}').item.json.id }}`);

	it('reaches the editor, which builds a text from its context', async () => {
		const { error } = await runNode(sandbox, ofNode('Nowhere'), { items });
		expect(error).toMatchObject({
			name: 'ExpressionError',
			message: "Referenced node doesn't exist (item 2)",
			context: { descriptionKey: 'nodeNotFound', nodeCause: 'Nowhere', itemIndex: 1 },
		});
	});

	it('is the advice of a failed item', async () => {
		const ofItem = getUser("={{ $json.id ?? $('Start').itemMatching(7).json.id }}");
		const onError = 'continueRegularOutput';
		const { items: output } = await runNode(sandbox, ofItem, { items, onError });
		expect(output[1].json).toEqual({
			error: 'Can’t get data for expression',
			message: expect.stringContaining('Some intermediate nodes') as string,
		});
	});
});

it('fails the item for a field of a collection, too', async () => {
	const update = action('user.update', {
		userId: byId(sandbox.community.caller.msid),
		hiddenFields: 'clear',
		updateFields: { firstName: "={{ $json.name ?? $('Nowhere').item.json.name }}" },
	});
	const { items: output } = await runNode(sandbox, update, {
		items: [{ name: 'Ada' }, {}],
		onError: 'continueRegularOutput',
	});
	expect(output.map(({ json }) => json.error === undefined)).toEqual([true, false]);
});
