import type { IDataObject, INode } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server.mts';
import { byId } from '../support/community.mts';
import { ADA, addKnownRecords, GRACE } from '../support/known.mts';
import { text } from '../support/shipped.mts';
import {
	type Answer,
	byAgents,
	byAiAgent,
	type Call,
	overMcp,
	type ToolRoad,
} from './support/tool-roads.mts';
import { useStage } from './support/use-stage.mts';

const scenery = useStage({ members: 120 });
beforeEach(() => addKnownRecords(scenery.sandbox));

/** Calls as a model makes them, and the sentence of docs/tools.md that they hold, if any. */
interface Row {
	it: string;
	says?: string;
	calls: Call[];
	/** Faults of the API, or anything else before the calls. */
	given?: (sandbox: Sandbox) => void;
	expected: (answers: Answer[], sandbox: Sandbox) => void;
}

// What the maker of a tool sets by itself.
const user = (parameters: IDataObject) => ({
	...{ resource: 'user', operation: 'get', userId: byId("={{ $fromAI('User', ``, 'string') }}") },
	...parameters,
});
const tool = (name: string, parameters: IDataObject) =>
	({
		...{ id: name, name, typeVersion: 1, position: [0, 0], parameters },
		type: 'n8n-nodes-community-platform.communityPlatformTool',
	}) as INode;
const more = [
	tool('Chosen', user({ output: 'selectedFields', fields: ['email', 'banner'] })),
	tool('Raw', user({ output: 'raw' })),
	tool('Without Role Name', user({ options: { includeRoleName: false } })),
	tool(
		'May Clear',
		user({
			...{ operation: 'update', hiddenFields: 'clear' },
			updateFields: { username: "={{ $fromAI('Username', ``, 'string') }}" },
		}),
	),
];

const HIDDEN = 'Banner_URL, Language, Last_Name, Middle_Name, Social_Media_Links, Timezone';
const changes = ({ requests }: Sandbox) => requests.all.filter(({ method }) => method !== 'GET');
const lastQuery = ({ requests }: Sandbox) => requests.all.at(-1)?.query;
const fieldsOf = ({ items }: Answer) => Object.keys(items[0]);

const rows: Row[] = [
	{
		it: 'is told which present values an update of a user needs',
		says: '*Update* of a user needs the fields that the API does not show, or would clear them. Let the model give each of them; it is told by name which present values are missing.',
		calls: [['User_Update', { User: ADA, Username: 'countess' }]],
		expected([{ failed }], sandbox) {
			expect(failed).toContain(
				`Nothing was changed. The API cannot show ${HIDDEN}: call again with their present values, or ask the person for them.`,
			);
			expect(sandbox.requests.all).toEqual([]);
		},
	},
	{
		it: 'updates a user, and clears what is given as two quotation marks',
		says: 'Two quotation marks (`""`, which in JSON is `"\\"\\""`) clear a field.',
		calls: [
			[
				'User_Update',
				{
					...{ User: ADA, Username: 'countess', Last_Name: 'Lovelace', Middle_Name: '""' },
					...{ Banner_URL: '""', Language: 'en', Timezone: 'UTC' },
					Social_Media_Links: '{ "network": "https://network.example/countess" }',
				},
			],
		],
		expected([{ items }], { community }) {
			expect(items).toEqual([expect.objectContaining({ msid: ADA, role_name: 'Member' })]);
			expect(community.user(ADA)).toMatchObject({
				...{ username: 'countess', first_name: 'Ada', last_name: 'Lovelace', lang: 'en' },
				social_media_links: { network: 'https://network.example/countess' },
			});
			expect(community.user(ADA).middle_name || null).toBeNull();
			expect(community.user(ADA).banner || null).toBeNull();
		},
	},
	{
		it: 'is told what may have been cleared',
		says: 'Or choose *May Be Cleared*.',
		calls: [['May_Clear', { User: ADA, Username: 'countess' }]],
		expected([{ items }], { community }) {
			expect(community.user(ADA).username).toBe('countess');
			expect(items[1]).toEqual({
				hint: expect.stringContaining('"Timezone" may have been cleared'),
			});
		},
	},
	{
		it: 'is told which arguments there are, where everything is empty',
		says: 'n8n makes a model fill in every argument, and an empty one is not given.',
		calls: [['Post_Update', { Post_ID: '9100' }]],
		expected([{ failed }], sandbox) {
			expect(failed).toContain('Nothing was changed. Nothing was given to change.');
			expect(failed).toContain('a value for at least one of Author, Board, Content, Headline');
			expect(sandbox.requests.all).toEqual([]);
		},
	},
	{
		it: 'keeps a private board private where it changes something else',
		says: 'Under *Update Fields* the field keeps its value; there JSON and switches are text, too, so that they can be empty.',
		calls: [['Board_Update', { Board: 'Insiders', About: 'News' }]],
		expected(_, { community }) {
			expect(community.boards.get(900)).toMatchObject({
				...{ about: 'News', is_private: true, needs_approval: true, icon: 'lock' },
				...{ board_name: 'Insiders', hidden_type: 2, permission_for: 5 },
			});
		},
	},
	{
		it: 'opens a private board where that is said',
		calls: [['Board_Update', { Board: '900', Private: 'False' }]],
		expected(_, { community }) {
			expect(community.boards.get(900)).toMatchObject({ about: 'For insiders', is_private: false });
		},
	},
	{
		it: 'orders boards by a list of IDs and names, or by a map',
		says: '*Positions* of boards, with *Using JSON* in *Specify Order*, as text: a map such as `{ "12": 1 }`, or a list such as `[4, 1]` or `Events, Ideas`, the first on top, with IDs or names. Boards that are left out keep their place;',
		calls: [
			['Board_Reorder', { Positions: '[900, 1]' }],
			['Board_Reorder', { Positions: '["1", "insiders"]' }],
			['Board_Reorder', { Positions: '{ "Insiders": 3 }' }],
			['Board_Reorder', { Positions: 'Events, Ideas' }],
			['Board_Reorder'],
		],
		expected(answers, sandbox) {
			expect(sandbox.requests.matching('PATCH').map(({ body }) => body)).toEqual([
				{ display_order: { 900: 1, 1: 2 } },
				{ display_order: { 1: 1, 900: 2 } },
				{ display_order: { 900: 3 } },
				{ display_order: { 6: 1, 4: 2 } },
			]);
			expect(answers.map(({ failed }) => failed.includes('"Positions"'))).toEqual([
				...[false, false, false, false, true],
			]);
		},
	},
	{
		it: 'names options in any case',
		says: 'names of options in any case: `wait-list` for 4, `DESC`, `post`.',
		calls: [
			[
				'Board_Create',
				{ Name: 'Ops', Visible_To: 'Any Logged-in Member', Who_Can_Post: 'only admins' },
			],
			['User_Get_Many', { Status: 'Active', Limit: 1 }],
			[
				'User_Get_Many',
				{ Status: 'wait-list', Sort_By: 'created_at', Direction: 'DESC', Limit: 2 },
			],
			['Tag_Get_for_Record', { Record_Type: 'post', Record_ID: '9100', Limit: 5 }],
		],
		given: ({ community }) => void community.waitlist({ first_name: 'Ottilie' }),
		expected(answers, sandbox) {
			expect(answers.map(({ failed }) => failed)).toEqual(['', '', '', '']);
			expect(changes(sandbox)[0].body).toMatchObject({ hidden_type: 1, permission_for: 1 });
			const listed = sandbox.requests.matching('GET', '/api/v1/users').map(({ query }) => query);
			expect(listed).toEqual([
				expect.objectContaining({ status: '10' }),
				expect.objectContaining({ status: '4', sort_by: 'joined', order: 'desc' }),
			]);
			expect(answers[2].items[0]).toMatchObject({ first_name: 'Ottilie' });
			expect(lastQuery(sandbox)).toMatchObject({ ref_type: 'POST' });
			expect(answers[3].items).toEqual([expect.objectContaining({ tag_id: 9400 })]);
		},
	},
	{
		it: 'is told of all bad values at once',
		says: 'All arguments that cannot be used are named at once, and nothing is sent for them.',
		calls: [['User_Get_Many', { Status: 'here', Sort_By: 'posts', Direction: 'down' }]],
		expected([{ failed }], sandbox) {
			for (const label of ['Status', 'Sort By', 'Direction']) {
				expect(failed).toContain(`The parameter "${label}" has a value that is not offered`);
				expect(failed).toContain(`Give one of these in "${label}"`);
			}
			expect(sandbox.requests.all).toEqual([]);
		},
	},
	{
		it: 'is offered only close names of tags',
		calls: [
			['Tag_Get', { Tag: 'ama-2026' }],
			['Tag_Get', { Tag: 'FirstStep' }],
		],
		expected([unknown, close]) {
			expect(unknown.failed).toContain("No tag is named 'ama-2026'");
			expect(unknown.failed).toContain('Create or Update makes it');
			expect(unknown.failed).not.toMatch(/nearest|Import|Mobile|Search/);
			expect(close.failed).toContain("The nearest there is: 'FirstSteps'");
		},
	},
	{
		it: 'gets the name of a role',
		says: '`role_name` beside the `role_id` of a user, unless *Include Role Name* is off or the roles cannot be listed;',
		calls: [
			['User_Get', { User: ADA }],
			['User_Update_Role', { User: ADA, Role: 'champion' }],
			['Without_Role_Name', { User: ADA }],
		],
		expected([read, updated, without], sandbox) {
			expect(read.items).toEqual([expect.objectContaining({ role_id: 10, role_name: 'Member' })]);
			expect(updated.items).toEqual([
				expect.objectContaining({ msid: ADA, role_id: 22, role_name: 'Champion' }),
			]);
			expect(without.items[0]).toMatchObject({ role_id: 22 });
			expect(fieldsOf(without)).not.toContain('role_name');
			expect(sandbox.community.user(ADA).role_id).toBe(22);
		},
	},
	{
		it: 'gets a user without the name of the role where roles cannot be listed',
		given: ({ faults }) => void faults.add({ kind: 'status', status: 403, path: '/api/v1/roles' }),
		calls: [['User_Get', { User: ADA }]],
		expected([{ items }]) {
			expect(items).toEqual([expect.objectContaining({ msid: ADA, role_id: 10 })]);
			expect(Object.keys(items[0])).not.toContain('role_name');
		},
	},
	{
		it: 'gets what the editor says beside the output',
		says: 'what the editor says beside the output, as an item of its own: `{ "hint": "…" }`. It says that there may be more than the limit, that only active members are listed, that nothing was found, what may have been cleared, that the API slowed the run down.',
		calls: [
			['Board_Get_Many', { Limit: 2 }],
			['Tag_Search', { Part_of_the_Name: 'zzzz', Limit: 5 }],
			['Board_Get', { Board: '900' }],
			['User_Get_Many', { Status: '', Limit: 500 }],
		],
		given: ({ faults }) =>
			void faults.add({
				...{ kind: 'status', status: 429, retryAfter: 1 },
				...{ path: '/api/v1/boards/900', times: 1 },
			}),
		expected([more, none, slowed, active]) {
			const hint = (text: string) => ({ hint: expect.stringContaining(text) as string });
			expect(more.items).toHaveLength(3);
			expect(more.items[2]).toEqual(hint('call again with a higher Limit'));
			expect(none.items).toEqual([hint('Nothing was found')]);
			expect(slowed.items[0]).toMatchObject({ board_id: 900 });
			expect(slowed.items[1]).toEqual(hint('The API slowed this run down'));
			expect(active.items.at(-1)).toEqual(
				hint('Active members only: call again with "all" in Status'),
			);
		},
	},
	{
		it: 'keeps the name of a tag as it is written',
		says: '*Create or Update* finds a tag whatever its case; the name that exists stays.',
		calls: [['Tag_Create_or_Update', { Name: 'FIRSTSTEPS', Description: 'For beginners' }]],
		expected([{ items }], { community }) {
			expect(items).toEqual([
				expect.objectContaining({ display_name: 'FirstSteps', created: false }),
			]);
			const named = [...community.tags.values()].filter(({ name }) => name === 'firststeps');
			expect(named).toEqual([
				expect.objectContaining({
					...{ display_name: 'FirstSteps', description: 'For beginners', og_title: 'First steps' },
				}),
			]);
		},
	},
	{
		it: 'names a user by the msid or the number',
		says: 'a user by the msid or by the user number alone;',
		calls: [
			['User_Get', { User: ADA }],
			['User_Get', { User: '9001' }],
		],
		expected(answers) {
			const ada = expect.objectContaining({ msid: ADA }) as unknown;
			expect(answers.map(({ items }) => items)).toEqual([[ada], [ada]]);
		},
	},
	{
		it: 'names boards, roles and tags by ID or by name',
		says: 'boards, roles and tags by ID or by name, whichever mode you choose at the parameter;',
		calls: [
			['Board_Get', { Board: 'insiders' }],
			['Board_Get', { Board: '900' }],
			['Tag_Get', { Tag: 'firststeps' }],
			['Tag_Get', { Tag: '9400' }],
			['User_Update_Role', { User: ADA, Role: '22' }],
		],
		expected(answers, { community }) {
			const ids = answers.slice(0, 4).map(({ items: [item] }) => item.board_id ?? item.tag_id);
			expect(ids).toEqual([900, 900, 9400, 9400]);
			expect(community.user(ADA).role_id).toBe(22);
		},
	},
	{
		it: 'gives lists as text',
		says: 'lists as text separated by commas or lines, or as JSON text of an array. For the members of a board, choose *Using Text* in *Specify Members*;',
		calls: [
			['Tag_Get_by_IDs', { Tag_IDs: '9400, 1', Limit: 5 }],
			['Tag_Get_by_IDs', { Tag_IDs: '9400\n1', Limit: 5 }],
			['Tag_Get_by_IDs', { Tag_IDs: '[9400, "1"]', Limit: 5 }],
			['Board_Update_Members', { Board: '900', Add_Members: ADA, Remove_Members: `["${GRACE}"]` }],
		],
		expected(_, { requests, community }) {
			const ids = requests.matching('GET', '/api/v1/tags').map(({ query }) => query.ids);
			expect(ids).toEqual(['9400,1', '9400,1', '9400,1']);
			expect([...(community.boardMembers.get(900) ?? [])]).toEqual([ADA]);
		},
	},
	{
		it: 'corrects a word and keeps the formatting',
		says: '`content`, the HTML, beside the `clean_text` of a simplified post, comment or reply, so that a model that corrects a word keeps the formatting;',
		calls: [
			['Post_Get', { Post_ID: '9100' }],
			['Comment_Get', { Comment_ID: '9200' }],
			['Reply_Get', { Reply_ID: '9300' }],
		],
		expected(answers) {
			const both = { content: '<p>Hello</p>', clean_text: 'Hello' };
			for (const { items } of answers) expect(items).toEqual([expect.objectContaining(both)]);
		},
	},
	{
		it: 'is told the reason and what to give instead',
		says: 'Arguments that cannot be used, and refusals of the API, come back as a text with the reason and what to give instead, all of it in the message.',
		calls: [
			['User_Get', { User: 'Ada' }],
			['User_Get', { User: '7777.unknown' }],
		],
		expected([unusable, refused]) {
			expect(unusable.failed).toContain("'Ada' is not the msid of a user");
			expect(unusable.failed).toContain('Give the msid in "User", e.g. 42.a1b2c3');
			expect(refused.failed).toContain('No user has the id 7777.unknown');
			expect(refused.failed).toContain('Check "User" (7777.unknown)');
		},
	},
	{
		it: 'gets as much of a record as its maker chose',
		says: 'the ID that operations take (of a user the `msid`), and the **Fields** that you choose; null where the API has nothing',
		calls: [
			['User_Get', { User: ADA }],
			['Chosen', { User: ADA }],
			['Raw', { User: ADA }],
		],
		expected([simplified, chosen, raw], sandbox) {
			// With the name of the role.
			expect(fieldsOf(simplified)).toHaveLength(11);
			expect(chosen.items).toEqual([{ msid: ADA, email: 'ada@members.example', banner: null }]);
			expect(fieldsOf(raw).length).toBeGreaterThan(15);
			// Not for what has no role.
			expect(sandbox.requests.matching('GET', '/api/v1/roles')).toHaveLength(2);
		},
	},
];

const page = text('docs/tools.md').replace(/\s+/g, ' ');

interface Road {
	name: string;
	open: () => Promise<ToolRoad>;
	/** Whether the model is told what the node does: n8n's own Agents tell what their maker writes. */
	tellsAction?: boolean;
	/** Whether the model is told the texts to paste. */
	tellsTexts?: boolean;
	/** Whether n8n checks arguments by their type before the node sees them. */
	checksTypes?: boolean;
}

const roads: Road[] = [
	{
		name: 'over MCP, told labels',
		open: async () => await overMcp(scenery, 'labels', more),
		...{ tellsAction: true, checksTypes: true },
	},
	{
		name: 'over MCP, told descriptions',
		open: async () => await overMcp(scenery, 'descriptions', more),
		...{ tellsAction: true, tellsTexts: true, checksTypes: true },
	},
	{
		name: 'by the AI Agent',
		open: async () => await byAiAgent(scenery, 'descriptions', more),
		...{ tellsAction: true, tellsTexts: true },
	},
	{
		name: "by one of n8n's own Agents",
		open: async () => await byAgents(scenery, 'descriptions', more),
		...{ tellsTexts: true, checksTypes: true },
	},
];

describe.each(roads)('A model that calls tools $name', (which) => {
	let road: ToolRoad;
	beforeAll(async () => {
		road = await which.open();
	});
	afterAll(async () => await road.close());
	beforeEach(() => scenery.sandbox.requests.clear());

	test.each(rows)('$it', async ({ says = '', calls, given, expected }) => {
		expect(page).toContain(says);
		given?.(scenery.sandbox);
		const answers = await road.call(...calls);
		expected(answers, scenery.sandbox);
	});

	test('is offered tools by their names, and arguments by their labels', async () => {
		expect(page).toContain('**The name of the node.** Spaces become underscores.');
		expect(page).toContain('**Each parameter that you leave to it**');
		const offered = await road.offered();
		const { description, args = {} } = offered.get('User_Update_Role') ?? {};
		expect(Object.keys(args)).toEqual(['User', 'Role', 'Details']);
		const action = 'Update role by msid/number, role ID/name in Community Platform';
		expect(page).toContain(`"${action}"`);
		expect(description === action).toBe(which.tellsAction ?? false);
		const [, told] = /\| Role \| (The role to give the user\. .*?) \|/.exec(page) ?? [];
		expect(args.Role || undefined).toBe(which.tellsTexts ? told : undefined);
	});

	test('neither sees nor changes what its maker has filled in', async () => {
		expect(page).toContain('What you fill in yourself, a model neither sees nor changes');
		const offered = await road.offered();
		expect(Object.keys(offered.get('Chosen')?.args ?? {})).toEqual(['User']);
		const [{ items }] = await road.call(['Chosen', { User: ADA, fields: ['username'] }]);
		expect(items).toEqual([{ msid: ADA, email: 'ada@members.example', banner: null }]);
	});

	test('gives a number and a list where text is asked for', async () => {
		expect(page).toContain(
			"Over MCP and in n8n's *Agents*, n8n checks arguments by their type before the node sees them: what is text there has to come as text, an ID or a list as well. The AI Agent (from its version 3) does not check, and the node takes numbers and arrays.",
		);
		const answers = await road.call(
			['User_Get', { User: 9001 }],
			['Tag_Get_by_IDs', { Tag_IDs: [9400, 1], Limit: 5 }],
		);
		if (which.checksTypes) {
			for (const { failed } of answers) expect(failed).toContain('Expected string, received');
			expect(scenery.sandbox.requests.all).toEqual([]);
			return;
		}
		expect(answers[0].items).toEqual([expect.objectContaining({ msid: ADA })]);
		expect(lastQuery(scenery.sandbox)).toMatchObject({ ids: '9400,1' });
	});
});
