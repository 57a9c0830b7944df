import type { INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../sandbox/faults.mts';
import { byId, useSandbox } from '../support/community.mts';
import { createTag, getUser, toldAtStop, updateRole } from '../support/operations.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox({ members: 60 });
const getMember = getUser('101');

// What a user reads in the editor, word for word: `error` is what happened, `message` what to do.
interface Told {
	error: string;
	message: string;
	details?: object;
}

async function expectTold(parameters: INodeParameters, { error, message, details = {} }: Told) {
	const once = { ...parameters, options: { maxRetries: 0 } };
	const continued = await runNode(sandbox, once, { onError: 'continueRegularOutput' });
	expect(continued.items).toEqual([{ json: { error, message, details }, pairedItem: { item: 0 } }]);
	const stopped = await runNode(sandbox, once);
	expect(stopped.items).toEqual([]);
	expect(stopped.error).toMatchObject({
		name: 'NodeApiError',
		message: error,
		description: toldAtStop(parameters, message),
		context: { itemIndex: 0 },
	});
	const { httpCode } = details as { httpCode?: number };
	expect(stopped.error?.httpCode).toBe(httpCode === undefined ? null : String(httpCode));
}

const apiDetails = (httpCode: number, status: string) => ({
	httpCode,
	status,
	code: `ERR_V1${httpCode}`,
	errorId: expect.stringMatching(/^[\da-f-]{36}$/),
	time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
});

const TAKEN = 'Use Create or Update to change it.';

describe('a status with the reason of the API', () => {
	const BUSY =
		'The API limits how many requests it takes. Lower "Max Requests at Once" or raise "Max Retries" under Options, or run this at a quieter time.';
	const LATER = "The community's server is busy or being maintained. Try again later.";
	it.each<[number, string, string]>([
		[400, 'BAD_REQUEST', 'Check the values you gave: the API did not accept one of them.'],
		[
			403,
			'FORBIDDEN',
			'Check "API Key" in the credential: a wrong key is refused this way. If the key is right, the member it belongs to lacks the permission for this.',
		],
		[404, 'NOT_FOUND', 'Check "User" (101): nothing was found there, or this key may not see it.'],
		[
			405,
			'METHOD_NOT_ALLOWED',
			'The community does not accept this request. Check the values you gave; if they are right, ask the operators of the community about it.',
		],
		[
			409,
			'CONFLICT',
			'Something with the same unique value exists already. Choose another value, or change the existing record instead.',
		],
		[
			418,
			'I_AM_A_TEAPOT',
			'The API declines this request. Ask the operators of the community about it.',
		],
		[429, 'TOO_MANY_REQUESTS', BUSY],
		[
			500,
			'SERVER_ERROR',
			"The community's server could not finish this. Try again later. If this keeps happening, tell the operators of the community what the details say.",
		],
		[503, 'SERVICE_UNAVAILABLE', LATER],
	])('%d %s', async (status, name, message) => {
		sandbox.faults.add({ kind: 'status', status, message: 'the reason given' });
		const told = { error: 'The reason given', message, details: apiDetails(status, name) };
		await expectTold(getMember, told);
	});

	it.each<[string, object]>([
		['seconds', { retryAfter: 0 }],
		['a date', { retryAfter: { dateInSeconds: -5 } }],
	])('429 and 503 with Retry-After as %s', async (_, retryAfter) => {
		for (const [status, name, message] of [
			[429, 'TOO_MANY_REQUESTS', BUSY],
			[503, 'SERVICE_UNAVAILABLE', LATER],
		] as const) {
			sandbox.faults.clear();
			sandbox.faults.add({ kind: 'status', status, message: 'wait', ...retryAfter });
			const told = { error: 'Wait', message, details: apiDetails(status, name) };
			await expectTold(getMember, told);
		}
	});

	it('is told in other words where the message carries no code', async () => {
		sandbox.faults.add({ kind: 'status', status: 418, body: { message: 'not today' } });
		await expectTold(getMember, {
			error: 'Not today',
			message: 'The API declines this request. Ask the operators of the community about it.',
			details: { httpCode: 418 },
		});
	});
});

describe('names the parameter', () => {
	it.each<[string, INodeParameters, number, string, string]>([
		[
			'whose field the reason names',
			createTag('News', { backColor: '#ffffff' }),
			400,
			'payload validation: body.back_color must be a color',
			'Check "Background Color".',
		],
		[
			'whose fields the reason names',
			createTag('News', { ogTitle: 'x', ogImage: 'y' }),
			400,
			'og_image and og_title are too long',
			'Check "Open Graph Image URL" and "Open Graph Title".',
		],
		[
			'within a part of the body',
			updateRole('101.a1', '5'),
			400,
			'data.role_id must be one of the roles',
			'Check "Role".',
		],
		['that must be unique', createTag('News'), 409, 'name is taken', TAKEN],
		[
			'but not one whose field is part of another word',
			createTag('News'),
			400,
			'the username is unknown',
			'Check the values you gave: the API did not accept one of them.',
		],
	])('%s', async (_, parameters, status, reason, message) => {
		sandbox.faults.add({ kind: 'status', status, message: reason });
		const name = status === 400 ? 'BAD_REQUEST' : 'CONFLICT';
		const error = reason.charAt(0).toUpperCase() + reason.slice(1);
		await expectTold(parameters, { error, message, details: apiDetails(status, name) });
	});

	it('that the API itself refuses', async () => {
		const [tag] = sandbox.community.tags.values();
		await expectTold(createTag(tag.name), {
			error: `A tag with the name ${tag.name} exists`,
			message: TAKEN,
			details: apiDetails(409, 'CONFLICT'),
		});
	});

	it.each<[string, INodeParameters, string, string]>([
		['User', getUser('9999'), 'No user has the id 9999', '"User" (9999)'],
		[
			'Board',
			{ resource: 'board', operation: 'get', boardId: byId('77777') },
			'No board has the id 77777',
			'"Board" (77777)',
		],
		[
			'Board, picked from a list that is out of date',
			{
				resource: 'board',
				operation: 'get',
				boardId: { __rl: true, mode: 'list', value: '77777', cachedResultName: 'Release Notes' },
			},
			'No board has the id 77777',
			'"Board" (Release Notes, 77777)',
		],
	])('whose identifier was not found: %s', async (_, parameters, error, named) => {
		await expectTold(parameters, {
			error,
			message: `Check ${named}: nothing was found there, or this key may not see it.`,
			details: apiDetails(404, 'NOT_FOUND'),
		});
	});

	it('whose identifier was not found, when another one was', async () => {
		const { msid } = sandbox.community.caller;
		await expectTold(updateRole(msid, '99'), {
			error: 'No role has the id 99',
			message: 'Check "Role" (99): nothing was found there, or this key may not see it.',
			details: apiDetails(404, 'NOT_FOUND'),
		});
	});

	it('both identifiers where the reason names neither', async () => {
		sandbox.faults.add({ kind: 'status', status: 404, message: 'not here' });
		await expectTold(updateRole('101.a1', '5'), {
			error: 'Not here',
			message:
				'Check "User" (101.a1) and "Role" (5): nothing was found there, or this key may not see it.',
			details: apiDetails(404, 'NOT_FOUND'),
		});
	});
});

describe('an answer that is not one of the API', () => {
	const MAY_NOT_BE_THE_API =
		'Check "Base URL", "Source System" and "API Key" in the credential: something other than the API may answer there.';
	const NOT_THE_API =
		'Check "Base URL" in the credential: something other than the API seems to answer there.';
	const PAGE = 'A web page came back instead of data';
	it.each<[string, Fault, Told]>([
		[
			'a web page with 200',
			{ kind: 'html' },
			{ error: PAGE, message: NOT_THE_API, details: { httpCode: 200 } },
		],
		[
			'a web page with 404',
			{ kind: 'html', status: 404 },
			{ error: PAGE, message: NOT_THE_API, details: { httpCode: 404 } },
		],
		[
			'a web page with 502',
			{ kind: 'html', status: 502 },
			{
				error: PAGE,
				message: "The community's server could not be reached behind its gateway. Try again later.",
				details: { httpCode: 502 },
			},
		],
		[
			'a web page with 504',
			{ kind: 'html', status: 504 },
			{
				error: PAGE,
				message: "The community's server took too long behind its gateway. Try again later.",
				details: { httpCode: 504 },
			},
		],
		[
			'a web page with a status of no meaning to us',
			{ kind: 'html', status: 522 },
			{
				error: PAGE,
				message:
					"The community's server could not finish this. Try again later. If this keeps happening, tell the operators of the community what the details say.",
				details: { httpCode: 522 },
			},
		],
		...['[]', '"text"', '42', 'true', 'not JSON at all'].map((text): [string, Fault, Told] => [
			`200 with ${text}`,
			{ kind: 'text', text },
			{
				error: 'The answer did not come from the API',
				message: expect.stringMatching(
					/^(A list of something else|Something that is no record) came back\. Check "Base URL"/,
				) as unknown as string,
				details: { httpCode: 200 },
			},
		]),
		[
			'a reason of something else',
			{ kind: 'text', status: 404, text: '{"detail":"nope"}' },
			{ error: 'Nope', message: NOT_THE_API, details: { httpCode: 404 } },
		],
		[
			'a status without a reason',
			{ kind: 'text', status: 404, text: '{"note":"nope"}' },
			{
				error: 'The API answered with HTTP status 404 and gave no reason',
				message: NOT_THE_API,
				details: { httpCode: 404 },
			},
		],
		[
			'a log-in demanded',
			{ kind: 'text', status: 401, text: '{}' },
			{
				error: 'The API answered with HTTP status 401 and gave no reason',
				message: MAY_NOT_BE_THE_API,
				details: { httpCode: 401 },
			},
		],
		[
			'a key of another service demanded',
			{ kind: 'text', status: 401, text: '{"message":"\'X-N8N-API-KEY\' header required"}' },
			{
				error: "'X-N8N-API-KEY' header required",
				message: MAY_NOT_BE_THE_API,
				details: { httpCode: 401 },
			},
		],
	])('%s', async (_, fault, told) => {
		sandbox.faults.add(fault);
		await expectTold(getMember, told);
	});
});
