import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { asked, byId } from '../support/community.mts';
import { operationsOf, parametersOf } from '../support/description.mts';
import { ADA, useKnownRecords } from '../support/known-records.mts';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { callUnchecked } from '../support/agent.mts';
import { runNode } from '../support/engine.mts';
import { action } from '../support/operations.mts';

// The input and output of a model that uses the node as a tool. Because n8n requires every argument, a model can only
// pass empty text for a value that it does not set.
const sandbox = useKnownRecords();

const decides = (name: string) => `={{ $fromAI('${name}') }}`;
const writes = () => sandbox.requests.all.filter(({ method }) => method !== 'GET');
const call = async (tool: INodeParameters, args: IDataObject) => {
	const [answer] = await callUnchecked(sandbox, tool, args);
	return answer;
};
const itemsOf = (answer: string) => JSON.parse(answer) as IDataObject[];

const HIDDEN = {
	banner: 'Banner_URL',
	lang: 'Language',
	lastName: 'Last_Name',
	middleName: 'Middle_Name',
	socialMediaLinks: 'Social_Media_Links',
	timezone: 'Timezone',
};
const updateUser = action('user.update', {
	userId: byId(ADA),
	updateFields: {
		...Object.fromEntries(Object.entries(HIDDEN).map(([name, arg]) => [name, decides(arg)])),
		username: decides('Username'),
	},
});
const ARGUMENTS = [...Object.values(HIDDEN), 'Username'];
const nothing = Object.fromEntries(ARGUMENTS.map((arg) => [arg, '']));

describe('an update by a model', () => {
	it('refuses an update that could clear hidden fields, without naming them', async () => {
		const answer = await call(updateUser, { ...nothing, Username: 'countess' });
		expect(answer).toContain(
			"This update could clear fields of the member that the API does not return. Change the profile in the community. If your community keeps fields that an update leaves out, choose 'Allow Clearing' in 'Unreadable Fields' in the node.",
		);
		expect(answer).not.toContain('Last_Name');
		expect(asked(sandbox)).toEqual([]);
	});

	it('changes the passed fields, and clears those passed as two quotation marks', async () => {
		await call(updateUser, {
			Last_Name: 'Byron',
			Middle_Name: '""',
			Language: '""',
			Banner_URL: '""',
			Timezone: 'Europe/London',
			Username: 'countess',
			Social_Media_Links: '""',
		});
		expect(writes()[0].body).toMatchObject({
			username: 'countess',
			last_name: 'Byron',
			middle_name: '',
			banner: '',
			lang: '',
			timezone: 'Europe/London',
			social_media_links: {},
		});
	});

	it('does not accept an empty object for a required hidden field', async () => {
		const empty = { ...nothing, Username: 'countess', Social_Media_Links: '{}' };
		expect(await call(updateUser, empty)).toContain(
			'fields of the member that the API does not return',
		);
		expect(writes()).toEqual([]);
	});

	it.each<[string, INodeParameters, IDataObject]>([
		[
			'post.update',
			{ postId: '9100', updateFields: { content: 'New' } },
			{ content: '<p>Hello</p>' },
		],
		['comment.update', { commentId: '9200', content: 'New' }, { content: '<p>Hello</p>' }],
		[
			'board.update',
			{ boardId: byId('900'), updateFields: { about: 'New', isPrivate: 'yes' } },
			{ about: 'For insiders' },
		],
		[
			'tag.upsert',
			{ name: 'FirstSteps', additionalFields: { description: 'New' } },
			{ description: 'For newcomers' },
		],
		[
			'tag.update',
			{ tagId: byId('9400'), updateFields: { name: 'firststeps' } },
			{ name: 'FirstSteps' },
		],
	])('%s returns the replaced values', async (operation, parameters, previous) => {
		const [item] = itemsOf(await call(action(operation as never, parameters), {}));
		expect(item.previous).toEqual(previous);
	});

	const WHOLE = '<p>The hall is booked for Friday.</p><p>Please bring a friend along.</p>';
	it.each([
		['only the new words', 'Saturday'],
		['only the new words as plain text', 'for Saturday', 'text'],
		['only the line to add', '<p>Bring a cake.</p>'],
	])('is refused with %s of a comment', async (_, x, contentType = 'html') => {
		sandbox.community.comments.get(9200)!.content = WHOLE;
		const tool = { commentId: '9200', contentType, content: decides('x') };
		const answer = await call(action('comment.update', tool), { x });
		expect(answer).toContain(
			"The parameter 'Content' is much shorter than the text it would replace. Write the whole text",
		);
		expect(writes()).toEqual([]);
	});

	it.each([
		['half of a text', WHOLE, '<p>The hall is booked for Saturday.</p>'],
		['a translation into Japanese', WHOLE, '<p>金曜日にホールを予約しました。</p>'],
		['less than half of a few words', 'Where is the hall?', 'Where?'],
		['dots behind the old text', 'And so on.', 'And so on. Stay tuned...'],
	])('takes %s', async (_, whole, x) => {
		sandbox.community.comments.get(9200)!.content = whole;
		const tool = { commentId: '9200', contentType: 'html', content: decides('x') };
		await call(action('comment.update', tool), { x });
		expect(writes().map(({ body }) => body)).toEqual([{ content: x }]);
	});

	it('is not compared with the text that it replaces if a person makes it', async () => {
		sandbox.community.posts.get(9100)!.content = WHOLE;
		const { error } = await runNode(
			sandbox,
			action('post.update', { postId: '9100', updateFields: { content: 'Closed' } }),
		);
		expect(error).toBeUndefined();
		expect(sandbox.community.posts.get(9100)!.content).toBe('Closed');
	});

	it('returns no replaced values that the API hides', async () => {
		const args = { ...nothing, Language: 'de', Username: 'countess' };
		const answer = await call({ ...updateUser, hiddenFields: 'clear' }, args);
		const [item] = itemsOf(answer);
		expect(item.previous).toEqual({ username: 'ada' });
	});

	it.each([
		['', true],
		[null, true],
		['false', false],
		['True', true],
	])('keeps a switch unless it is set: %p', async (value, expected) => {
		sandbox.community.boards.get(900)!.is_private = true;
		const tool = action('board.update', {
			boardId: byId('900'),
			updateFields: { about: decides('About'), isPrivate: decides('Private') },
		});
		await call(tool, { About: 'News', Private: value });
		expect(writes()[0].body).toMatchObject({ about: 'News', is_private: expected });
	});
});

describe('the parameters of the tool', () => {
	const { properties } = new CommunityPlatform().description;
	const inside = (fields: INodeProperties[]): INodeProperties[] =>
		fields.flatMap((field) =>
			field.type === 'collection' ? inside(field.options as INodeProperties[]) : field,
		);

	it.each(operationsOf(properties).map(({ key }) => key))('%s requires no JSON', (key) => {
		const fields = inside(parametersOf(properties, key, 'tool'));
		expect(fields.filter(({ type }) => type === 'json')).toEqual([]);
	});

	it('are text for the switches of an update, and keep their type in the node', () => {
		const typesOf = (variant: 'node' | 'tool') => {
			const fields = parametersOf(properties, 'board.update', variant);
			const all = inside(fields.filter(({ name }) => name === 'updateFields'));
			return all.filter(({ name }) => /^(isPrivate|needsApproval)$/.test(name)).map((f) => f.type);
		};
		expect(typesOf('tool')).toEqual(['string', 'string']);
		expect(typesOf('node')).toEqual(['boolean', 'boolean']);
	});
});

describe('the positions of boards', () => {
	const reorder = action('board.reorder', {
		orderInput: 'json',
		displayOrder: decides('Positions'),
	});
	const others = () => [...sandbox.community.boards.keys()].filter((id) => id !== 900);

	it.each<[string, (other: number) => IDataObject[string], (other: number) => object]>([
		['a list as text', (other) => `[900, ${other}]`, (other) => ({ 900: 1, [other]: 2 })],
		['a list', (other) => [other, 900], (other) => ({ [other]: 1, 900: 2 })],
		['a list of names', () => '["Insiders"]', () => ({ 900: 1 })],
		['IDs and names', (other) => [other, 'insiders'], (other) => ({ [other]: 1, 900: 2 })],
		['a map of names', () => '{ "insiders": 3 }', () => ({ 900: 3 })],
	])('can be %s', async (_what, positions, order) => {
		const [other] = others();
		await call(reorder, { Positions: positions(other) });
		expect(writes()[0]?.body).toEqual({ display_order: order(other) });
	});

	it('are answered with the positions that they replace', async () => {
		const [other] = others();
		const [item] = itemsOf(await call(reorder, { Positions: { [other]: 2, 900: 1 } }));
		expect(item.previous).toEqual({ display_order: { 900: 131, [other]: 1 } });
	});

	it('name each board once', async () => {
		const answer = await call(reorder, { Positions: '[900, "Insiders"]' });
		expect(answer).toContain('Enter each board only once');
		expect(writes()).toEqual([]);
	});
});

describe('the answer to a model', () => {
	it('has no role names if the roles cannot be listed', async () => {
		sandbox.faults.add({ kind: 'status', status: 403, path: '/api/v1/roles' });
		const [user] = itemsOf(await call(action('user.get', { userId: byId(ADA) }), {}));
		expect(user).toMatchObject({ msid: ADA });
	});

	it('has an item that reports that nothing was found', async () => {
		const items = itemsOf(await call(action('tag.search', { query: decides('q') }), { q: 'zzzz' }));
		expect(items).toEqual([{ hint: expect.stringContaining('No records matched') }]);
	});

	it('lists the options of an empty dropdown', async () => {
		const tool = action('board.create', {
			boardName: 'Book Club',
			hiddenType: decides('Visible_To'),
			permissionFor: decides('Who_Can_Post'),
		});
		const answer = await call(tool, { Visible_To: '', Who_Can_Post: '' });
		expect(answer).toBe(
			"The parameter 'Visible To' is empty. The parameter 'Who Can Post' is empty. Enter one of these in 'Visible To': 0 (Everyone), 1 (Any Logged-In Member), 2 (Only Members of the Board). Enter one of these in 'Who Can Post': 5 (Admins and Moderators), 10 (Any Member of the Community), 1 (Only Admins). Nothing was changed.",
		);
		expect(asked(sandbox)).toEqual([]);
	});

	it.each([
		['post', '9100'],
		['comment', '9200'],
		['reply', '9300'],
	])('has the HTML of a %s instead of its text', async (resource, id) => {
		const parameters = { resource, operation: 'get', [`${resource}Id`]: id };
		const [tool] = itemsOf(await call(parameters, {}));
		expect(tool).toMatchObject({ content: expect.any(String) });
		expect(tool).not.toHaveProperty('clean_text');
		const { items } = await runNode(sandbox, parameters);
		expect('content' in items[0].json).toBe(resource === 'post');
	});
});
