import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import { NodeConnectionTypes, sleep } from 'n8n-workflow';
import { call } from '../../nodes/shared/transport/call.ts';
import { openApi } from '../../nodes/shared/transport/open.ts';
import { DEFAULT_SETTINGS } from '../../nodes/shared/transport/settings.ts';
import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { asked, range, useSandbox } from '../support/community.mts';
import { createTag, updateComment } from '../support/operations.mts';
import type { TestServer } from '../support/servers.mts';
import { closedOrigin, serve } from '../support/servers.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox({ members: 60 });

describe('a community that starts again', () => {
	let restarted: Sandbox | undefined;
	afterEach(async () => await restarted?.close());

	/** Runs a batch while nothing listens yet, and starts the community when the first were refused. */
	async function runDuringRestart(parameters: Parameters<typeof runNode>[1], count: number) {
		const baseUrl = await closedOrigin();
		const items = range(1, count).map((id) => ({ id }));
		const running = runNode({ ...sandbox, baseUrl }, parameters, { items });
		await sleep(150);
		restarted = await startSandbox({ port: Number(new URL(baseUrl).port), members: 60 });
		return { ...(await running), community: restarted };
	}

	it('gets every create, once', async () => {
		const { items, error, community } = await runDuringRestart(
			createTag('=Restart{{ $json.id }}'),
			40,
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(40);
		const created = [...community.community.tags.values()].filter(({ name }) =>
			name.startsWith('restart'),
		);
		expect(created).toHaveLength(40);
		expect(community.requests.matching('POST')).toHaveLength(40);
	});

	it('gets every change, once', async () => {
		const ids = [...sandbox.community.comments.keys()];
		const { items, error, community } = await runDuringRestart(
			updateComment(`={{ ${JSON.stringify(ids)}[$json.id] }}`, 'Mended'),
			40,
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(40);
		expect(asked(community).sort()).toEqual(
			ids
				.slice(1, 41)
				.map((id) => `PUT /api/v1/comments/${id}`)
				.sort(),
		);
	});
});

it.each([
	['nothing listens', closedOrigin, 'Nothing accepts connections at the base URL', 2],
	['no such name', () => 'http://community.invalid', 'There is no server at the base URL', 1],
])('a create that was never sent is not said to exist: %s', async (_, address, message, times) => {
	const parameters = { ...createTag('Unsent'), options: { maxRetries: 1 } };
	const { error } = await runNode({ ...sandbox, baseUrl: await address() }, parameters);
	expect(error?.message).toBe(message);
	expect(error?.description).not.toContain('may have been created');
	expect(error?.description?.includes(`Tried ${times} times`)).toBe(times > 1);
});

describe('a create whose answer cannot be read', () => {
	const MAY_EXIST =
		'The record may have been created all the same, so this was not repeated: look in the community before you run it again.';

	it.each(['cut off {', '[]', '"text"'])('may have been carried out: 201 with %s', async (text) => {
		sandbox.faults.add({ kind: 'text', status: 201, text, applied: true });
		const { error } = await runNode(sandbox, createTag('Unread'));
		expect(error?.message).toBe('The answer did not come from the API');
		expect(error?.description).toBe(MAY_EXIST);
		expect(asked(sandbox)).toEqual(['POST /api/v1/tags']);
	});

	it('may have been carried out: 200 with a web page', async () => {
		sandbox.faults.add({ kind: 'html', applied: true });
		const { error } = await runNode(sandbox, createTag('Unread'));
		expect(error?.description).toBe(MAY_EXIST);
	});
});

it('a status that is not listed is about the request, in the words of the API', async () => {
	sandbox.faults.add({ kind: 'status', status: 415, message: 'no such media type' });
	const { error } = await runNode(sandbox, createTag('News'));
	expect(error?.message).toBe('No such media type');
	expect(error?.description).toBe(
		'The community does not accept this request. Check the values you gave; if they are right, ask the operators of the community about it. Nothing was changed.',
	);
});

it('a reason of any length is read at once', async () => {
	const message = `ERR_V${'1'.repeat(80_000)}x`;
	sandbox.faults.add({ kind: 'status', status: 400, body: { message } });
	const { error } = await runNode(sandbox, createTag('News'));
	expect(error?.message).toMatch(/^ERR_V1+…$/);
	expect(error?.message.length).toBeLessThan(1100);
});

// Whether or not an operation deletes, what would send one goes through the same call.
describe('a delete', () => {
	const deleting: INodeType = {
		description: {
			...{ displayName: 'Delete', name: 'delete', group: [], version: 1, description: '' },
			...{ defaults: {}, inputs: [NodeConnectionTypes.Main], outputs: [NodeConnectionTypes.Main] },
			credentials: [{ name: 'communityPlatformApi', required: true }],
			properties: [],
		},
		async execute(this: IExecuteFunctions) {
			const api = await openApi(this, DEFAULT_SETTINGS);
			const request = {
				method: 'DELETE',
				repeat: 'idempotent',
				path: '/tags/1',
				expects: 'acknowledgement',
			} as const;
			const { statusCode, body } = await call(this, api, request);
			return [[{ json: { statusCode, body } as never }]];
		},
	};
	let server: TestServer;
	afterEach(async () => await server.close());

	/** Sends the delete to a server that gives these answers in turn; 0 is a connection cut. */
	async function run(...statuses: number[]) {
		server = await serve((request, response) => {
			const status = statuses[server.requests.length - 1];
			if (status === 0) {
				request.socket.destroy();
				return;
			}
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end('{"status":"NOT_FOUND","message":"ERR_V1404 | no tag has the id 1"}');
		});
		const type = { name: 'delete', type: deleting, version: 1 };
		const { items, error } = await runNode({ ...sandbox, baseUrl: server.origin }, {}, { type });
		expect(server.requests.map(({ method }) => method)).toEqual(statuses.map(() => 'DELETE'));
		return { json: items[0]?.json, error };
	}

	it.each([404, 410])(
		'whose answer was lost is done when the record is gone: %d',
		async (status) => {
			const { json, error } = await run(0, 500, status);
			expect(error).toBeUndefined();
			expect(json).toEqual({ statusCode: 204, body: '' });
		},
	);

	it('of what was never there is refused', async () => {
		expect((await run(404)).error?.message).toBe('No tag has the id 1');
	});

	it('that was refused for load before does not count as done', async () => {
		expect((await run(429, 404)).error?.message).toBe('No tag has the id 1');
	});
});
