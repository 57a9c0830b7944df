import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';
import { useSandbox } from '../support/community.mts';
import { closedOrigin } from '../support/servers.mts';
import { createTag, getUser } from '../support/operations.mts';
import { runNode } from './engine.mts';
import { hasDetailsInErrorOutput } from './generations.mts';
import { deliver, joined, useHosts } from './trigger-hosts.mts';

const sandbox = useSandbox({ members: 30 });
const { listening } = useHosts(sandbox);

interface Told {
	error: string;
	message: string;
	details: IDataObject;
	/** The details in words, for an engine that takes no others. */
	words?: string;
}

/** The item of a failure in each of the two branches. */
function inBranch(onError: OnError, { error, message, details, words }: Told): IDataObject {
	if (onError === 'continueRegularOutput' || hasDetailsInErrorOutput) {
		return { error, message, details };
	}
	return { error, message: words ? `${message} ${words}` : message };
}

const BODY = {
	id: 'e-17',
	status: 'NOT_FOUND',
	time: '2025-02-03T04:05:06.789Z',
	message: 'ERR_V1404:no such member',
};
const REFUSED: Told = {
	error: 'No such member',
	message: 'Check "User" (102): nothing was found there, or this key may not see it.',
	details: {
		...{ httpCode: 404, status: 'NOT_FOUND', code: 'ERR_V1404' },
		...{ errorId: 'e-17', time: '2025-02-03T04:05:06.789Z' },
	},
	words: '(HTTP status 404, reference e-17)',
};

const outputs = ['continueRegularOutput', 'continueErrorOutput'] as const;

describe.each(outputs)('with %s', (onError) => {
	const isApart = onError === 'continueErrorOutput';

	async function failedOf(parameters: INodeParameters, credential = {}): Promise<IDataObject> {
		const items = [{ name: 'kept' }];
		const options = { items, onError, credential };
		const { items: given, failed, error } = await runNode(sandbox, parameters, options);
		expect(error).toBeUndefined();
		expect([given.length, failed.length]).toEqual(isApart ? [0, 1] : [1, 0]);
		const { name, ...json } = (isApart ? failed : given)[0].json;
		// In the error output n8n adds the fields of the input item.
		expect(name).toBe(isApart ? 'kept' : undefined);
		return json;
	}

	it.each([
		['in a run', false],
		['through the routing engine', true],
	])('a refused item leaves by the right branch, with its codes, %s', async (_, isRouted) => {
		sandbox.faults.add({ kind: 'status', status: 404, body: BODY, path: '/api/v1/users/102' });
		const items = [101, 102, 103].map((id) => ({ id }));
		const result = await runNode(sandbox, getUser('={{ $json.id }}'), {
			...{ items, onError, isRouted },
		});
		const ids = result.items.map(({ json }) => json.user_id);
		expect(ids).toEqual(isApart ? [101, 103] : [101, undefined, 103]);
		const [refused] = isApart ? result.failed : result.items.slice(1, 2);
		const input = isApart ? { id: 102 } : {};
		expect(refused).toEqual({
			json: { ...input, ...inBranch(onError, REFUSED) },
			pairedItem: { item: 1 },
		});
		expect(result.failed).toHaveLength(isApart ? 1 : 0);
	});

	it('so does one without an identifier of the API', async () => {
		sandbox.faults.add({ kind: 'html', status: 403 });
		const json = await failedOf(getUser(102));
		const { message } = json;
		expect(json).toEqual(
			inBranch(onError, {
				error: 'A web page came back instead of data',
				message: String(message).replace(/ \(HTTP.*\)$/, ''),
				details: { httpCode: 403 },
				words: '(HTTP status 403)',
			}),
		);
	});

	it('an item that was never sent leaves by it, too, without codes', async () => {
		expect(await failedOf(getUser('x'))).toEqual(
			inBranch(onError, {
				error: "'x' is not the msid of a user",
				message:
					'Choose the user from the list, or give the msid in "User", e.g. 42.a1b2c3, or the user number.',
				details: {},
			}),
		);
		const once = { ...createTag('x'), options: { maxRetries: 0 } };
		const { error } = await failedOf(once, { baseUrl: await closedOrigin() });
		expect(error).toBe('Nothing accepts connections at the base URL');
	});

	it.each(['', ' '])('so does one whose reason the API leaves empty: "%s"', async (message) => {
		sandbox.faults.add({ kind: 'status', status: 400, body: { id: 'e-1', message } });
		const json = await failedOf(createTag('x'));
		expect(json.error).toMatch(/\S/);
	});

	it('a delivery that cannot be confirmed leaves the trigger by the right branch', async () => {
		sandbox.faults.add({ kind: 'status', status: 403, body: { ...BODY, message: 'ERR_V1:no' } });
		const host = await listening({ parameters: { confirmWithApi: true }, onError });
		await deliver(host, joined(1));
		const [{ items, failed }] = host.executions;
		expect([items.length, failed.length]).toEqual(isApart ? [0, 1] : [1, 0]);
		const [{ json }] = isApart ? failed : items;
		expect(Object.keys(json)).toEqual(
			Object.keys(inBranch(onError, { error: '', message: '', details: {} })),
		);
		expect(json.error).toBe('No');
		expect(JSON.stringify(json)).toContain('e-17');
		expect(JSON.stringify(json)).toContain('403');
	});
});
