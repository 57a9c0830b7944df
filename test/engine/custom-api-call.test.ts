import { useSandbox } from '../support/community.mts';
import { runNode } from '../support/engine.mts';

const sandbox = useSandbox({ members: 3 });
const CUSTOM = '__CUSTOM_API_CALL__';

// n8n adds "Custom API Call" to the lists of resources and operations of every node that has a credential.
it.each([
	{ resource: CUSTOM },
	{ resource: 'user', operation: CUSTOM },
	{ resource: 'post', operation: CUSTOM },
])('a custom API call suggests what to use instead: %j', async (parameters) => {
	const { error } = await runNode(sandbox, parameters);
	expect(error?.message).toBe('This node cannot send a custom API call');
	expect(error?.description).toContain('add an HTTP Request node');
	expect(sandbox.requests.total).toBe(0);
});

it.each([
	[{ resource: 'planet', operation: 'get' }, "The resource 'planet'"],
	[{ resource: 'user', operation: 'delete' }, "The operation 'delete' of the resource 'user'"],
])('an operation that does not exist is refused by its name: %j', async (parameters, reason) => {
	const { error } = await runNode(sandbox, parameters);
	expect(error?.message).toBe(`${reason} does not exist`);
	expect(sandbox.requests.total).toBe(0);
});
