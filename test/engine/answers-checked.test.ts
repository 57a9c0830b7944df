import type { INodeParameters } from 'n8n-workflow';
import { answerWith, bendAnswers, type Bend, type BentSandbox } from '../support/bending.mts';
import { withoutBackoff } from '../support/community.mts';
import { ADA, GRACE, useKnownRecords } from '../support/known-records.mts';
import { createTag, getUser, updateRole } from '../support/operations.mts';
import { runNode, type RunResult } from '../support/engine.mts';

describe('The contents of an item', () => {
	const sandbox = useKnownRecords();
	withoutBackoff();

	let bent: BentSandbox | undefined;
	afterEach(async () => {
		await bent?.close();
		bent = undefined;
	});

	async function run(bend: Bend, parameters: INodeParameters): Promise<RunResult> {
		bent = await bendAnswers(sandbox, bend);
		return await runNode(bent.sandbox, parameters);
	}

	const ERROR = {
		id: 'e-7',
		status: 'BAD_REQUEST',
		time: '2030-01-01T00:00:00Z',
		message: 'ERR_V1 | this is not allowed here',
	};
	it.each<[string, INodeParameters]>([
		['create tag', createTag('New')],
		['get user', getUser(ADA)],
		['update role', updateRole(ADA, '5')],
		['get many', { resource: 'role', operation: 'getAll' }],
	])("the API's error body with status 200 is a failure: %s", async (_, parameters) => {
		const { items, error } = await run((answer) => answerWith(answer, ERROR), parameters);
		expect(items).toEqual([]);
		expect(error?.message).toBe('This is not allowed here');
	});

	it('keeps the fields that an acknowledgement contains', async () => {
		const { items } = await run(
			(answer, method) => {
				if (method === 'PATCH') answerWith(answer, { msid: GRACE, role_id: 3, note: 'x' });
			},
			updateRole(ADA, '5'),
		);
		expect(items[0].json).toEqual({ msid: ADA, role_id: 5, success: true, note: 'x' });
	});

	it('an answer that is not JSON acknowledges a change of role', async () => {
		const { items } = await run(
			(answer, method) => {
				const headers = { 'content-type': 'text/html; charset=UTF-8' };
				if (method === 'PATCH') Object.assign(answer, { headers, body: 'OK' });
			},
			updateRole(ADA, '5'),
		);
		expect(items[0].json).toMatchObject({ msid: ADA, role_id: 5, success: true });
	});

	it.each<[string, INodeParameters]>([
		['get', getUser(ADA)],
		['update role', updateRole(ADA, '5')],
	])('JSON with the type text/html is read as JSON: %s', async (_, parameters) => {
		const asHtml: Bend = ({ headers }) => (headers['content-type'] = 'text/html');
		const { items, error } = await run(asHtml, parameters);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});
});
