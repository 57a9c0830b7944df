import type { INodeParameters } from 'n8n-workflow';
import { asked, byId } from '../support/community.mts';
import { ADA, useKnownRecords } from '../support/known-records.mts';
import { callAsTool } from '../support/agent.mts';
import { runNode } from '../support/engine.mts';
import { action } from '../support/operations.mts';

// A model always gets the names of roles.
const ROLES = 'GET /api/v1/roles?page=1&page_size=50';

const sandbox = useKnownRecords();

it("writes the model's values", async () => {
	const { args, answers, description } = await callAsTool(
		sandbox,
		action('comment.create', {
			postId: '9100',
			author: byId(ADA),
			content: "={{ $fromAI('text', 'What to say', 'string') }}",
		}),
		{ text: 'Well said' },
	);
	expect(description).toBe('Create comment in Community Platform');
	expect(args).toEqual({ text: 'What to say' });
	expect(sandbox.requests.all.map(({ method, url, body }) => [method, url, body])).toEqual([
		['POST', '/api/v1/comments', { post_id: '9100', content: 'Well said', author: ADA }],
	]);
	expect(JSON.parse(answers[0])).toEqual([
		expect.objectContaining({ post_id: 9100, content: 'Well said' }),
	]);
});

it('finds the record that the model passes in a locator, with values of any type', async () => {
	const { args, answers } = await callAsTool(
		sandbox,
		action('user.updateRole', {
			userId: byId("={{ $fromAI('member', 'The msid', 'string') }}"),
			roleId: byId("={{ $fromAI('role', 'The number of the role', 'number') }}"),
			additionalFields: { details: "={{ $fromAI('note') }}" },
		}),
		{ member: ADA, role: 22, note: 'Helpful' },
	);

	expect(Object.keys(args)).toEqual(['member', 'role', 'note']);
	expect(sandbox.requests.all.at(-1)?.body).toEqual({
		action: 101,
		data: { role_id: 22 },
		details: 'Helpful',
	});
	// With the previous role, so that a model can undo the change.
	expect(JSON.parse(answers[0])).toEqual([
		{
			msid: ADA,
			username: 'ada',
			role_id: 22,
			role_name: 'Champion',
			previous_role_id: 10,
			previous_role_name: 'Member',
			changed: true,
			success: true,
			message: 'OK',
		},
	]);
	expect(sandbox.community.user(ADA).role_id).toBe(22);
});

describe('Output', () => {
	const one = action('user.get', { userId: byId(ADA) });
	const read = async (parameters: object) => {
		const { answers } = await callAsTool(sandbox, { ...one, ...parameters }, {});
		const [record] = JSON.parse(answers[0]) as object[];
		return record;
	};

	it('is the simplified record by default', async () => {
		const { items } = await runNode(sandbox, one);
		const expected = { ...items[0].json, role_name: 'Member' };
		expect(await read({})).toEqual(expected);
		expect(await read({ output: 'simplified' })).toEqual(expected);
		expect(Object.keys(items[0].json)).toHaveLength(10);
	});

	it('is the record as the API returns it', async () => {
		const { items } = await runNode(sandbox, { ...one, simplify: false });
		expect(await read({ output: 'raw' })).toEqual({ ...items[0].json, role_name: 'Member' });
		expect(Object.keys(items[0].json).length).toBeGreaterThan(15);
	});

	it('is the ID and the selected fields, null if the API has no value', async () => {
		const fields = ['user_status_name', 'banner', 'email'];
		expect(await read({ output: 'selectedFields', fields })).toEqual({
			msid: ADA,
			user_status_name: 'ACTIVE',
			email: 'ada@members.example',
			banner: null,
		});
		expect(await read({ output: 'selectedFields', fields: 'email, username' })).toEqual({
			msid: ADA,
			email: 'ada@members.example',
			username: 'ada',
		});
		expect(await read({ output: 'selectedFields' })).toEqual({ msid: ADA });
		const empty = { options: { includeEmptyFields: true } };
		expect(await read({ output: 'selectedFields', fields: ['msid'], ...empty })).toEqual({
			msid: ADA,
		});
	});

	it('reduces every record of a list', async () => {
		const { answers } = await callAsTool(
			sandbox,
			action('board.getAll', {
				limit: 3,
				output: 'selectedFields',
				fields: ['about', 'board_name'],
			}),
			{},
		);
		const boards = JSON.parse(answers[0]) as object[];
		expect(boards.pop()).toEqual({ hint: expect.stringContaining('There may be more') });
		expect(boards).toHaveLength(3);
		for (const board of boards) {
			expect(Object.keys(board)).toEqual(['board_id', 'about', 'board_name']);
		}
	});

	it('reports an unknown field', async () => {
		const parameters = { ...one, output: 'selectedFields', fields: ['email', 'shoe_size'] };
		const { answers } = await callAsTool(sandbox, parameters, {});
		expect(answers[0]).toContain("Enter one of these in 'Fields': ");
		expect(answers[0]).toContain('user_status_name');
		expect(sandbox.requests.all).toEqual([]);
	});
});

describe('The roles', () => {
	const get = action('user.get', { userId: byId(ADA) });
	const chosen = (...fields: string[]) => ({ output: 'selectedFields', fields });
	const updateRole = action('user.updateRole', { userId: byId(ADA), roleId: byId('22') });

	it.each<[what: string, tool: INodeParameters, isListed: boolean]>([
		['simplified records', get, true],
		['raw records', { ...get, output: 'raw' }, true],
		['the role, if chosen', { ...get, ...chosen('email', 'role_id') }, true],
		['other fields', { ...get, ...chosen('email') }, false],
		[
			'other fields, with names of roles',
			{ ...get, ...chosen('email'), options: { includeRoleName: true } },
			true,
		],
		['a role that was set', updateRole, true],
		['a role that would be set', { ...updateRole, options: { dryRun: true } }, true],
		[
			'a member who would be created',
			action('user.create', {
				firstName: 'Ida',
				email: 'ida@example.com',
				options: { dryRun: true },
			}),
			false,
		],
	])('are listed only if the output contains one: %s', async (_, tool, isListed) => {
		const { answers } = await callAsTool(sandbox, tool, {});
		expect(answers[0].includes('role_name')).toBe(isListed);
		expect(asked(sandbox).includes(ROLES)).toBe(isListed);
	});
});
