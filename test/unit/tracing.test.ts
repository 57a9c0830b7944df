import type { IExecuteFunctions, ITaskMetadata } from 'n8n-workflow';
import { forAllItems } from '../../nodes/CommunityPlatform/execute/entryPoints';
import { taskOf } from '../../nodes/CommunityPlatform/execute/run';

const task = taskOf(
	{
		...{ name: 'Get', value: 'get', action: 'Get', description: 'Get one' },
		request: { method: 'GET', url: '/users/self' },
		...{ strategy: 'one', fields: [] },
	},
	[],
);

/** Runs one item with n8n's functions as one version of n8n has them. */
async function runWith(functions: Partial<IExecuteFunctions>): Promise<number> {
	const items = await forAllItems(task).call({
		...{ continueOnFail: () => false, getExecutionCancelSignal: () => undefined },
		getNode: () => ({ name: 'Community', parameters: {} }),
		getInputData: () => [{ json: {} }],
		getNodeParameter: (_name: string, _item: number, fallback: unknown) => fallback,
		getCredentials: async () => ({ baseUrl: 'https://community.example.com' }),
		helpers: {
			httpRequestWithAuthentication: async () => ({ statusCode: 200, headers: {}, body: {} }),
		},
		...functions,
	} as unknown as IExecuteFunctions);
	return items[0].length;
}

it('a version of n8n without tracing runs the node as before', async () => {
	expect(await runWith({})).toBe(1);
});

it('tags that the user has set on the node stay, also where n8n replaces what it had', async () => {
	const told: ITaskMetadata[] = [];
	await runWith({
		getExecuteData: () => ({ metadata: { tracing: { team: 'events' } } }) as never,
		setMetadata: (metadata) => told.push(metadata),
	});
	expect(told).toEqual([
		{ tracing: expect.objectContaining({ team: 'events', 'community_platform.requests': 1 }) },
	]);
});
