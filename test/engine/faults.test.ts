import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';
import type { Fault } from '../../sandbox/faults.mts';
import { asNewcomer, byId, useSandbox } from '../support/community.mts';
import { action, createTag, getUser, toldAtStop, updateRole } from '../support/operations.mts';
import { pick } from '../support/editor.mts';
import { credentialFor, runNode } from '../support/engine.mts';
import { hasDetailsInErrorOutput } from '../support/generations.mts';
import { Poller } from '../support/poller.mts';
import { deliver, joined, useHosts } from '../support/trigger-hosts.mts';

const sandbox = useSandbox({ members: 60 });
const { listening } = useHosts(sandbox);

/** The exact texts of a failure: `error` is the reason, `message` the advice. */
interface Told {
	error: string;
	message: string;
	details?: IDataObject;
	/** The end of the message in the error output. */
	codes?: string;
}

const status = (httpCode: number, name: string, message = 'the reason given'): Fault => ({
	kind: 'status',
	status: httpCode,
	body: {
		id: 'e-17',
		status: name,
		time: '2030-01-01T00:00:00Z',
		message: `ERR_V1${httpCode} | ${message}`,
	},
});
const AT = 'Either no such record exists, or the owner of the API key cannot see it.';
const NO_API =
	"Check 'Base URL' in the credential. The server at this address does not seem to be your community's API.";
const board = (boardId: unknown): INodeParameters =>
	action('board.get', { boardId: boardId as never });

it.each([
	[
		'username',
		'username must match ^[a-z0-9_]+$',
		"'mara.petrov' cannot be used as 'Username'",
		'Use a username without spaces or special characters. In an update, an underscore (_) is allowed. The API answered: "Username must match ^[a-z0-9_]+$".',
	],
	[
		'lastName',
		'last_name fails [A-Z]\\w*',
		"'mara.petrov' cannot be used as 'Last Name'",
		'Check \'Last Name\'. The API answered: "Last_name fails [A-Z]\\w*".',
	],
])('a pattern never stands alone: %s', async (field, message, reason, advice) => {
	sandbox.faults.add({ kind: 'status', status: 400, message, method: 'POST' });
	const person = { firstName: 'Mara', email: 'mara@members.example' };
	const create = action('user.create', { ...person, additionalFields: { [field]: 'mara.petrov' } });
	const { error } = await runNode(sandbox, create);
	expect(error?.message).toBe(reason);
	expect(error?.description).toBe(`${advice} Nothing was changed.`);
});

describe.each<[string, INodeParameters, Fault | undefined, Told]>([
	[
		'400 that names a field',
		createTag('News', { backColor: '#ffffff' }),
		status(400, 'BAD_REQUEST', 'body.back_color is wrong'),
		{
			error: 'Body.back_color is wrong',
			message: "Check 'Background Color'.",
			details: {
				httpCode: 400,
				status: 'BAD_REQUEST',
				code: 'ERR_V1400',
				errorId: 'e-17',
				time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as never,
			},
			codes: ' (status 400, reference e-17)',
		},
	],
	[
		'401 of the API itself',
		getUser('101'),
		status(401, 'UNAUTHORIZED'),
		{
			error: 'The reason given',
			message:
				"Copy the API key again from your profile page in the community and enter it as 'API Key' in the credential. Also check 'Source System'.",
			details: {
				httpCode: 401,
				status: 'UNAUTHORIZED',
				code: 'ERR_V1401',
				errorId: 'e-17',
				time: expect.any(String) as never,
			},
			codes: ' (status 401, reference e-17)',
		},
	],
	[
		'404 of the API itself',
		board({ __rl: true, mode: 'list', value: '77777', cachedResultName: 'Release Notes' }),
		undefined,
		{
			error: 'No board has the id 77777',
			message: `Check 'Board' (Release Notes, 77777). ${AT}`,
			details: {
				httpCode: 404,
				status: 'NOT_FOUND',
				code: 'ERR_V1404',
				errorId: expect.any(String) as never,
				time: expect.any(String) as never,
			},
			codes: expect.stringMatching(/^ \(status 404, reference [\da-f-]{36}\)$/) as never,
		},
	],
	[
		'a web page',
		getUser('101'),
		{ kind: 'html' },
		{
			error: 'A web page came back instead of data',
			message: NO_API,
			details: { httpCode: 200 },
			codes: ' (status 200)',
		},
	],
])('%s', (_, parameters, fault, { error, message, details, codes = '' }) => {
	const once = { ...parameters, options: { maxRetries: 0 } };
	beforeEach(() => {
		if (fault) sandbox.faults.add(fault);
	});

	it('ends the execution with Stop', async () => {
		const stopped = await runNode(sandbox, once, asNewcomer());
		expect(stopped.items).toEqual([]);
		expect(stopped.error).toMatchObject({
			name: 'NodeApiError',
			message: error,
			context: { itemIndex: 0 },
			description: toldAtStop(parameters, message),
			httpCode: details?.httpCode === undefined ? null : expect.any(String),
		});
	});

	it('is an item with Continue', async () => {
		const onError: OnError = 'continueRegularOutput';
		const { items } = await runNode(sandbox, once, { onError, ...asNewcomer() });
		const json = { error, message, ...(details && { details }) };
		expect(items).toEqual([{ json, pairedItem: { item: 0 } }]);
	});

	it('is sent to the error output', async () => {
		const { items, failed } = await runNode(sandbox, once, {
			items: [{ name: 'kept' }],
			onError: 'continueErrorOutput' as const,
			...asNewcomer(),
		});
		expect(items).toEqual([]);
		// n8n adds the fields of the input item.
		const [{ json, pairedItem }] = failed;
		expect(pairedItem).toEqual({ item: 0 });
		const shown = { name: 'kept', error, ...(hasDetailsInErrorOutput && details && { details }) };
		expect(json).toEqual({ ...shown, message: expect.any(String) as string });
		const told = String(json.message);
		expect(told.slice(0, message.length)).toBe(message);
		expect(told.slice(message.length)).toEqual(hasDetailsInErrorOutput ? '' : codes);
	});
});

it.each([401, 403])('names a firewall for a web page with status %d', async (refused) => {
	sandbox.faults.add({ kind: 'html', status: refused });
	const { error } = await runNode(sandbox, getUser('101'), asNewcomer());
	expect(error?.message).toBe('A web page came back instead of data');
	expect(error?.description).toBe(
		"Check 'Base URL', 'Source System' and 'API Key' in the credential. If they are right, ask your n8n administrator whether a firewall (such as Cloudflare or another WAF) or a proxy blocks requests to the community.",
	);
});

it('a delivery that cannot be confirmed is handled like any failed item', async () => {
	sandbox.faults.add(status(403, 'FORBIDDEN'));
	for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
		const host = await listening({ parameters: { confirmWithApi: true }, onError });
		await deliver(host, joined(1));
		const [{ items, failed }] = host.executions;
		const isApart = onError === 'continueErrorOutput';
		expect([items.length, failed.length]).toEqual(isApart ? [0, 1] : [1, 0]);
		const [{ json }] = isApart ? failed : items;
		expect(Object.keys(json)).toEqual([
			...['error', 'message'],
			...(isApart && !hasDetailsInErrorOutput ? [] : ['details']),
		]);
	}
});

describe('a lasting rate limit is reported without settings that are not available', () => {
	beforeEach(() => void sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 0 }));
	const told = /^(?!.*(Max Re|Timeout|Options)).*limits how many requests it accepts\./;

	it('by the polling trigger', async () => {
		const poller = new Poller(sandbox);
		poller.credential = asNewcomer().credential;
		await expect(poller.poll()).rejects.toMatchObject({ description: expect.stringMatching(told) });
	});

	it('by a picker', async () => {
		const failed = pick(credentialFor(sandbox, asNewcomer().credential), 'searchRoles');
		await expect(failed).rejects.toMatchObject({
			description: expect.not.stringMatching(/Max Re|Timeout/) as string,
		});
	});
});

it('a nested field is blamed by its own name', async () => {
	sandbox.faults.add(status(400, 'BAD_REQUEST', 'data.role_id is unknown'));
	const { error } = await runNode(sandbox, updateRole(sandbox.community.caller.msid, '5'));
	expect(error?.description).toContain("Check 'Role'.");
});

it('a parameter of another operation is not blamed for a board', async () => {
	const members = action('board.updateMembers', {
		boardId: byId('900'),
		membersInput: 'text',
		addMembers: '5.gone',
	});
	sandbox.faults.add(status(404, 'NOT_FOUND', 'no user has the id 5.gone'));
	const { error } = await runNode(sandbox, members);
	expect(error?.description).not.toContain("'Board'");
});
