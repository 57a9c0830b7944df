import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Bend, BentSandbox } from '../support/bending.mts';
import { answerWith, bendAnswers } from '../support/bending.mts';
import { byId, useSandbox, withoutBackoff } from '../support/community.mts';
import { ADA, addKnownRecords, GRACE, STILL } from '../support/known.mts';
import { createTag, getUser, updateComment, updateRole } from '../support/operations.mts';
import type { RunResult } from './engine.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox(STILL);
withoutBackoff();
beforeEach(() => addKnownRecords(sandbox));

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
const updateTag: INodeParameters = {
	...{
		resource: 'tag',
		operation: 'update',
		tagId: byId('9400'),
		updateFields: { ogTitle: 'New' },
	},
};
const createBoard: INodeParameters = {
	...{ resource: 'board', operation: 'create', boardName: 'New', isPrivate: false },
	...{ hiddenType: 0, permissionFor: 10, needsApproval: false },
};
describe("the API's error body with status 200", () => {
	it.each<[string, INodeParameters]>([
		['create tag', createTag('New')],
		['get user', getUser(ADA)],
		['update role', updateRole(ADA, '5')],
		['get many', { resource: 'role', operation: 'getAll' }],
	])('is a failure with the reason of the API: %s', async (_, parameters) => {
		const { items, error } = await run((answer) => answerWith(answer, ERROR), parameters);
		expect(items).toEqual([]);
		expect(error?.message).toBe('This is not allowed here');
	});
});

describe('an error body of another form with status 200', () => {
	it('does not acknowledge a write that answers with a record', async () => {
		const body = { title: 'Forbidden', status: 403, detail: 'no permission' };
		const { error } = await run((answer) => answerWith(answer, body), updateComment('9200', 'x'));
		expect(error?.message).toBe('No permission');
	});

	it('is not accepted as the record that it names, and nothing is sent', async () => {
		const body = { success: false, msid: ADA, message: 'no' };
		const { items, error } = await run(
			(answer, method) => {
				if (method === 'GET') answerWith(answer, body);
			},
			{
				...{ resource: 'user', operation: 'update', userId: byId(ADA), hiddenFields: 'clear' },
				updateFields: { firstName: 'N' },
			},
		);
		expect(items).toEqual([]);
		expect(error?.description).toMatch(/ Nothing was changed\.$/);
		expect(bent?.requests.map(({ method }) => method)).toEqual(['GET']);
	});

	it('does not change what an acknowledgement names', async () => {
		const { items } = await run(
			(answer, method) => {
				if (method === 'PATCH') answerWith(answer, { msid: GRACE, role_id: 3, note: 'x' });
			},
			updateRole(ADA, '5'),
		);
		expect(items[0].json).toEqual({ msid: ADA, role_id: 5, success: true, note: 'x' });
	});
});

it('turns a conflict that comes with status 200 into an update, too', async () => {
	let searched = 0;
	const { items, error } = await run(
		(answer, method) => {
			if (method === 'GET' && searched++ === 0) answerWith(answer, []);
			if (method === 'POST') answerWith(answer, { ...ERROR, status: 'CONFLICT' });
		},
		{ resource: 'tag', operation: 'upsert', name: 'firststeps' },
	);
	expect(error).toBeUndefined();
	expect(items[0].json.tag_id).toBe(9400);
});

describe('a read before an update that gives something else', () => {
	const other = { tag_id: 99, name: 'other', display_name: 'Other' };
	it.each<[string, unknown]>([
		['an error body', ERROR],
		['another record', other],
		['nothing', ''],
	])('ends the item, and nothing is sent: %s', async (_, value) => {
		const { items, error } = await run((answer, method) => {
			if (method === 'GET') answerWith(answer, value);
		}, updateTag);
		expect(items).toEqual([]);
		expect(error?.message).toBeTruthy();
		expect(error?.description).toMatch(/ Nothing was changed\.$/);
		expect(bent?.requests.map(({ method }) => method)).toEqual(['GET']);
		expect(sandbox.community.tags.get(9400)?.description).toBe('For newcomers');
	});

	it('says what came back', async () => {
		const { error } = await run((answer, method) => {
			if (method === 'GET') answerWith(answer, other);
		}, updateTag);
		expect(error?.message).toBe('The API answered with another record than the one asked for');
		expect(error?.description).toContain('The record 99 came back instead of 9400');
	});
});

describe('a record that was not asked for', () => {
	it('is a failure, not an item', async () => {
		const { items, error } = await run((answer) => {
			answerWith(answer, { ...JSON.parse(answer.body), user_id: 9002, sid: 'b', msid: '9002.b' });
		}, getUser(ADA));
		expect(items).toEqual([]);
		expect(error?.message).toBe('The API answered with another record than the one asked for');
	});

	it('is not mistaken for one whose number comes as text, or whose msid is hidden', async () => {
		const { items, error } = await run((answer) => {
			const { msid, ...record } = JSON.parse(answer.body) as IDataObject;
			answerWith(answer, { ...record, user_id: String(msid).split('.')[0] });
		}, getUser(ADA));
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ user_id: '9001', msid: null });
	});

	it('is found by the number alone', async () => {
		const { items } = await run(() => {}, getUser('9001'));
		expect(items[0].json.msid).toBe(ADA);
		await bent?.close();
		const { error } = await run((answer) => {
			answerWith(answer, { ...JSON.parse(answer.body), msid: GRACE, user_id: 9002 });
		}, getUser('9001'));
		expect(error?.message).toBe('The API answered with another record than the one asked for');
	});

	it('is not the record that was created', async () => {
		const { items, error } = await run((answer) => answerWith(answer, { ok: true }), createBoard);
		expect(items).toEqual([]);
		expect(error?.description).toMatch(/^The record may have been created all the same/);
	});
});

describe('where no record is documented, an answer that', () => {
	const answering =
		(body: string, headers = {}): Bend =>
		(answer, method) => {
			if (method !== 'GET') Object.assign(answer, { status: 200, headers, body });
		};

	it.each(['', 'OK', '[]'])('is %j is an acknowledgement', async (body) => {
		const html = { 'content-type': 'text/html; charset=UTF-8' };
		const { items, error } = await run(answering(body, html), updateRole(ADA, '5'));
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ msid: ADA, role_id: 5, success: true });
	});

	it.each([
		['a web page', '<!DOCTYPE html><html>', 'A web page came back instead of data'],
		['a refusal of a part', '[{"msid":"1.a","status":"FORBIDDEN","message":"no"}]', 'No'],
		['the phrase of a status', 'Not Found', 'Not Found'],
	])('is %s is not', async (_, body, message) => {
		const { items, error } = await run(answering(body), updateRole(ADA, '5'));
		expect(items).toEqual([]);
		expect(error?.message).toBe(message);
	});
});

describe('where no record is documented,', () => {
	const answered = async (body: string, parameters = updateRole(ADA, '5')) =>
		await run((answer) => {
			Object.assign(answer, { status: 200, headers: {}, body });
		}, parameters);

	it.each([
		'BAD_REQUEST',
		'SERVER_ERROR',
		'{"code":"FORBIDDEN","message":"no permission"}',
		'{"error_code":"ERR_V1403","message":"no permission"}',
		'{"detail":"ERR_V1 | no permission"}',
		'["FORBIDDEN"]',
		'{"results":[true,false]}',
	])('a name or a code of a refusal is one wherever it is: %s', async (body) => {
		expect((await answered(body)).items).toEqual([]);
	});

	it.each(['Failed: 0, updated: 1', '{"errors":{"count":0}}', '{"error":{"code":0,"message":""}}'])(
		'nothing that failed is no refusal: %s',
		async (body) => {
			expect((await answered(body)).error).toBeUndefined();
		},
	);
});

it('a record with a refusal in it is no update that was made', async () => {
	const { items } = await run((answer, method) => {
		if (method === 'PUT') answerWith(answer, { ...JSON.parse(answer.body), success: false });
	}, updateTag);
	expect(items).toEqual([]);
});

it('a refused part of a listing is no record', async () => {
	const refused = { user_id: 2, status: 'FORBIDDEN', message: 'no permission' };
	const { items } = await run(
		(answer) => answerWith(answer, [{ user_id: 1, username: 'a' }, refused]),
		{ resource: 'user', operation: 'getAll', returnAll: true },
	);
	expect(items).toEqual([]);
});

describe('JSON that is called text/html', () => {
	const asHtml: Bend = (answer) => {
		answer.headers['content-type'] = 'text/html';
	};
	it.each<[string, INodeParameters]>([
		['get', getUser(ADA)],
		['update role', updateRole(ADA, '5')],
	])('is JSON: %s', async (_, parameters) => {
		const { items, error } = await run(asHtml, parameters);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});

	it('also when it is refused', async () => {
		const { error } = await run((answer) => {
			answerWith(answer, ERROR, 400);
			asHtml(answer, '', '');
		}, createTag('New'));
		expect(error?.message).toBe('This is not allowed here');
	});
});

describe('what an update keeps', () => {
	const updateBoard: INodeParameters = {
		...{ resource: 'board', operation: 'update', boardId: byId('900') },
		updateFields: { about: 'New' },
	};

	it("goes back in the API's types, in whatever types it was shown", async () => {
		const { error } = await run((answer, method) => {
			if (method !== 'GET') return;
			const types = {
				hidden_type: '2',
				permission_for: '5',
				is_private: 1,
				needs_approval: 'true',
			};
			answerWith(answer, { ...JSON.parse(answer.body), ...types, board_name: 2030 });
		}, updateBoard);
		expect(error).toBeUndefined();
		expect(sandbox.requests.matching('PUT')[0].body).toEqual({
			...{ board_name: '2030', about: 'New', icon: 'lock', is_private: true },
			...{ hidden_type: 2, permission_for: 5, needs_approval: true },
		});
	});
});
