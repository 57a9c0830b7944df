import type { INodeParameters } from 'n8n-workflow';
import type { BentSandbox } from '../support/bending.mts';
import { bendAnswers } from '../support/bending.mts';
import { asked, useSandbox, withoutBackoff } from '../support/community.mts';
import { ADA, addKnownRecords, STILL } from '../support/known.mts';
import { createTag, getUser, updateComment, updateRole } from '../support/operations.mts';
import type { RunResult } from './engine.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox(STILL);
withoutBackoff();
beforeEach(() => addKnownRecords(sandbox));

let bent: BentSandbox | undefined;
afterEach(async () => await bent?.close());

// As they write them: Varnish 7, nginx 1.22, HAProxy 2.6.
const VARNISH =
	'<!DOCTYPE html>\n<html>\n  <head>\n    <title>503 Backend fetch failed</title>\n  </head>\n  <body>\n    <h1>Error 503 Backend fetch failed</h1>\n  </body>\n</html>\n';
const NGINX =
	'<html>\r\n<head><title>503 Service Temporarily Unavailable</title></head>\r\n<body>\r\n<center><h1>503 Service Temporarily Unavailable</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n';
const HAPROXY =
	'<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n</body></html>\n\n';

/** Runs an operation while the first answer to it is replaced by one of a gateway. */
async function once(
	parameters: INodeParameters,
	status: number,
	body: string,
	headers: Record<string, string> = {},
): Promise<RunResult> {
	let replaced = 0;
	bent = await bendAnswers(sandbox, (answer) => {
		if (replaced++ > 0) return;
		Object.assign(answer, { status, body, headers: { 'content-type': 'text/html', ...headers } });
	});
	return await runNode(bent.sandbox, parameters);
}

const READ = getUser(ADA);
const CHANGES = [updateComment('9200', 'x'), updateRole(ADA, '5')];

describe('503 of a cache after the API has taken a create', () => {
	it.each<Record<string, string>>([{ 'retry-after': '0' }, {}])(
		'does not repeat it, with %j',
		async (headers) => {
			const { error } = await once(createTag('Once'), 503, VARNISH, headers);
			expect(error?.description).toMatch(/^The record may have been created all the same/);
			expect(asked(sandbox)).toEqual(['POST /api/v1/tags']);
		},
	);

	it.each([READ, ...CHANGES])(
		'retries a safe or idempotent request: $operation',
		async (parameters) => {
			const { error } = await once(parameters, 503, VARNISH, { 'retry-after': '0' });
			expect(error).toBeUndefined();
			expect(asked(sandbox)).toHaveLength(2);
		},
	);
});

describe.each([
	['nginx', NGINX],
	['HAProxy', HAPROXY],
])('503 with the own page of %s, which has passed nothing on', (_, page) => {
	const refuse = (status: number, times: number) =>
		sandbox.faults.add({ kind: 'text', status, text: page, times });

	it.each([READ, ...CHANGES, createTag('Once')])(
		'is repeated, also for a create: $operation',
		async (parameters) => {
			refuse(503, 1);
			const { error, items } = await runNode(sandbox, parameters);
			expect(error).toBeUndefined();
			expect(items).toHaveLength(1);
			expect(asked(sandbox)).toHaveLength(2);
		},
	);

	it('is no proof with another status', async () => {
		refuse(502, 1);
		const { error } = await runNode(sandbox, createTag('Once'));
		expect(error?.description).toMatch(/^The record may have been created all the same/);
		expect(asked(sandbox)).toHaveLength(1);
	});

	it('is reported as nothing changed when retries are used up', async () => {
		refuse(503, 2);
		const parameters = { ...createTag('Never'), options: { maxRetries: 1 } };
		const { error } = await runNode(sandbox, parameters);
		expect(error?.description).toMatch(/^The community's server is busy .* Nothing was changed\.$/);
	});
});

describe.each([408, 425, 520, 522, 524])('status %d', (status) => {
	it.each([READ, ...CHANGES])('is repeated for $operation', async (parameters) => {
		const { error } = await once(parameters, status, '<html>');
		expect(error).toBeUndefined();
		expect(bent?.requests).toHaveLength(2);
	});

	it('is not repeated for a create', async () => {
		const { error } = await once(createTag('Once'), status, '<html>');
		expect(error?.description).toMatch(/^The record may have been created all the same/);
		expect(bent?.requests).toHaveLength(1);
	});
});

it('a date in Retry-After is read by the clock of the server', async () => {
	const hourAhead = new Date(Date.now() + 3_600_000).toUTCString();
	const headers = { 'retry-after': hourAhead, date: hourAhead };
	const { error } = await once(READ, 429, '', headers);
	expect(error).toBeUndefined();
	expect(bent?.requests).toHaveLength(2);
});
