import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { byId, useSandbox } from '../support/community.mts';
import { parametersOf } from '../support/description.mts';
import { ADA, addKnownRecords, STILL } from '../support/known.mts';
import { callAsTool, callUnchecked } from './agent.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox(STILL);
beforeEach(() => addKnownRecords(sandbox));

/** As n8n's editor writes it when a parameter is left to the model. */
const asked = (name: string) =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`\`, 'string') }}`;

const everyField = {
	firstName: asked('First_Name'),
	lastName: asked('Last_Name'),
	middleName: asked('Middle_Name'),
	banner: asked('Banner_URL'),
	lang: asked('Language'),
	timezone: asked('Timezone'),
	socialMediaLinks: asked('Social_Media_Links'),
};
const nothing = {
	...{ First_Name: '', Last_Name: '', Middle_Name: '', Banner_URL: '', Language: '' },
	...{ Timezone: '', Social_Media_Links: '' },
};
const updateUser = {
	...{ resource: 'user', operation: 'update', userId: byId(ADA) },
	updateFields: everyField,
};

async function call(parameters: INodeParameters, args: IDataObject): Promise<string> {
	const [answer] = await callUnchecked(sandbox, parameters, args);
	return answer;
}

const lastPut = () => sandbox.requests.matching('PUT').at(-1)?.body;

describe('Update User', () => {
	it('changes what is given, and clears what is given as two quotation marks', async () => {
		await call(updateUser, {
			...{ First_Name: 'Augusta', Last_Name: 'Lovelace', Middle_Name: '""', Language: 'de' },
			...{ Banner_URL: '""', Timezone: 'Europe/London' },
			Social_Media_Links: '{ "network": "https://network.example/ada" }',
		});
		expect(lastPut()).toMatchObject({
			...{ first_name: 'Augusta', last_name: 'Lovelace', middle_name: '', banner: '' },
			...{ lang: 'de', timezone: 'Europe/London' },
			social_media_links: { network: 'https://network.example/ada' },
		});
	});

	it('clears whatever is given as two quotation marks', async () => {
		const cleared = Object.fromEntries(Object.keys(nothing).map((name) => [name, '""']));
		const answer = await call(updateUser, { ...cleared, First_Name: 'Augusta' });
		expect(answer).not.toContain('Nothing was changed');
		expect(lastPut()).toMatchObject({
			...{ first_name: 'Augusta', last_name: '', middle_name: '', banner: '' },
			...{ lang: '', timezone: '', social_media_links: {} },
		});
	});

	it('leaves empty arguments alone where they may be cleared', async () => {
		await call({ ...updateUser, hiddenFields: 'clear' }, { ...nothing, First_Name: 'Augusta' });
		expect(lastPut()).toEqual({
			...{ first_name: 'Augusta', username: 'ada', user_description: '<p>Mathematician</p>' },
			user_avatar: 'https://images.example/ada.png',
		});
	});
});

describe('Update Board', () => {
	const updateBoard = {
		...{ resource: 'board', operation: 'update', boardId: byId('900') },
		updateFields: { about: asked('About'), isPrivate: asked('Private') },
	};

	it('keeps yes and no as they are where the argument is empty', async () => {
		await call(updateBoard, { About: 'For all', Private: '' });
		expect(lastPut()).toMatchObject({ about: 'For all', is_private: true });
	});

	it('takes true and false as text', async () => {
		await call(updateBoard, { About: '', Private: 'False' });
		expect(lastPut()).toMatchObject({ about: 'For insiders', is_private: false });
	});
});

describe('Reorder takes positions as', () => {
	const reorder = {
		...{ resource: 'board', operation: 'reorder', orderInput: 'json' },
		displayOrder: asked('Positions'),
	};

	it.each([
		['a map', '{ "900": 2, "1": 1 }'],
		['a list of IDs', '[1, 900]'],
		['a list of IDs and names', '["1", "insiders"]'],
		['IDs and names with commas between them', '1, Insiders'],
		['IDs and names on lines', 'Announcements\ninsiders\n'],
	])('%s', async (_, Positions) => {
		await call(reorder, { Positions });
		expect(sandbox.requests.matching('PATCH')[0].body).toEqual({
			display_order: { 1: 1, 900: 2 },
		});
	});

	it('a list of IDs and names of an expression, too', async () => {
		await runNode(
			sandbox,
			{ ...reorder, displayOrder: '={{ $json.order }}' },
			{ items: [{ order: [1, 'Insiders'] }] },
		);
		expect(sandbox.requests.matching('PATCH')[0].body).toEqual({
			display_order: { 1: 1, 900: 2 },
		});
	});
});

describe('the variant of the node for tools', () => {
	const { properties } = new CommunityPlatform().description;
	const typeOf = (key: string, name: string, option: string | undefined, as?: 'tool') => {
		const found = parametersOf(properties, key, as).filter((each) => each.name === name);
		expect(found).toHaveLength(1);
		const [field] = found;
		const options = (field.options ?? []) as Array<{ name: string; type: string }>;
		return option === undefined
			? field.type
			: options.find(({ name: own }) => own === option)?.type;
	};

	it.each([
		['user.update', 'updateFields', 'socialMediaLinks', 'json'],
		['board.update', 'updateFields', 'isPrivate', 'boolean'],
		['board.update', 'updateFields', 'needsApproval', 'boolean'],
	])('has text in place of %s %s %s', (key, name, option, type) => {
		expect(typeOf(key, name, option)).toBe(type);
		expect(typeOf(key, name, option, 'tool')).toBe('string');
	});

	it('has text in place of the positions of boards', () => {
		const shown = properties.filter(({ name }) => name === 'displayOrder');
		expect(shown.map(({ type }) => type)).toEqual(['json', 'string']);
	});
});

describe('names of options are taken for their values', () => {
	it.each<[string, INodeParameters, object]>([
		[
			'in any case',
			{
				...{ resource: 'board', operation: 'create', boardName: 'News' },
				...{ hiddenType: '={{ "any logged-in member" }}', permissionFor: '={{ "Only admins" }}' },
			},
			{ method: 'POST', body: expect.objectContaining({ hidden_type: 1, permission_for: 1 }) },
		],
		[
			'in a filter and an order',
			{
				...{ resource: 'user', operation: 'getAll', filters: { status: '={{ "wait-list" }}' } },
				sort: { sortBy: '={{ "User ID" }}', order: '={{ "DESC" }}' },
			},
			{ query: expect.objectContaining({ status: '4', sort_by: 'user_id', order: 'desc' }) },
		],
		[
			'as the value in lower case',
			{ resource: 'tag', operation: 'getForEntity', refType: '={{ "post" }}', refId: '9100' },
			{ query: expect.objectContaining({ ref_type: 'POST' }) },
		],
	])('%s', async (_, parameters, request) => {
		const { error } = await runNode(sandbox, parameters);
		expect(error).toBeUndefined();
		expect(sandbox.requests.all[0]).toMatchObject(request);
	});

	it('all that cannot be used are told at once', async () => {
		const { answers } = await callAsTool(
			sandbox,
			{
				...{ resource: 'user', operation: 'getAll', filters: { status: asked('Status') } },
				sort: { sortBy: asked('Sort_By'), order: asked('Direction') },
			},
			{ Status: 'here', Sort_By: 'posts', Direction: 'down' },
		);
		for (const label of ['Status', 'Sort By', 'Direction']) {
			expect(answers[0]).toContain(`The parameter "${label}" has a value that is not offered`);
			expect(answers[0]).toContain(`Give one of these in "${label}"`);
		}
		expect(sandbox.requests.all).toEqual([]);
	});
});
