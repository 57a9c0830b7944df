import type { INodeParameters } from 'n8n-workflow';
import { asked, byId, useSandbox } from '../support/community.mts';
import { toldAtStop } from '../support/operations.mts';
import { of } from '../support/refusals.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox({ members: 60 });
const board = byId('3');
const user = byId('42.a1');
const members = (addMembers: unknown, removeMembers: unknown) =>
	of('board', 'updateMembers', {
		...{ boardId: board, membersInput: 'text' },
		...{ addMembers, removeMembers },
	});
const order = (...ids: unknown[]) =>
	of('board', 'reorder', { boardOrder: { boards: ids.map((id) => ({ boardId: byId(id) })) } });
const update = (resource: string, locator: object, updateFields: object, keepOtherFields = true) =>
	of(resource, 'update', { ...locator, updateFields, keepOtherFields });

const NOTHING = {
	error: 'Nothing was given to change',
	message: 'Add at least one field under "Update Fields" and give it a value.',
};
const NO_MEMBER = {
	error: 'No member was named',
	message: 'Name at least one member in "Add Members" or in "Remove Members".',
};
const both = (msid: string) => ({
	error: `The member ${msid} is both added and removed`,
	message: 'Name each member in one place only: "Remove Members" has one that is named twice.',
});
const lacks = (names: string, keeping = 'Keep Other Fields') => ({
	error: `An update needs a value for ${names}`,
	message: `Add ${names} under "Update Fields", or turn on "${keeping}".`,
});

const cases: Array<[string, INodeParameters, { error: string; message: string }]> = [
	['a member both added and removed', members('42.a1, 43.b2', '44.c3,43.b2'), both('43.b2')],
	['the same in lists', members('={{ ["42.a1"] }}', '={{ ["42.a1"] }}'), both('42.a1')],
	['no member at all', members('', ''), NO_MEMBER],
	['lists of members without any', members('={{ [] }}', ' , ,'), NO_MEMBER],
	[
		'one of several members that is none',
		members('42.a1, ada/1', ''),
		{
			error: "'ada/1' is not the msid of a user",
			message:
				'Give the msid in "Add Members", e.g. 42.a1b2c3, or the user number; in the editor, choose the user from the list, By Username or By Email.',
		},
	],
	[
		'a board twice in an order',
		order('3', '4', '3'),
		{
			error: 'The parameter "Boards" names a board twice',
			message: 'Name each board once in "Boards".',
		},
	],
	[
		'an order without boards',
		order(),
		{
			error: 'The parameter "Boards" names no board',
			message: 'Name at least one board in "Boards".',
		},
	],
	[
		'an order with a row that names none',
		order('3', '={{ $json.missing }}'),
		{
			error: 'The parameter "Board" is empty',
			message: 'Choose the board from the list, or By Name.',
		},
	],
	['no change to a board', update('board', { boardId: board }, {}), NOTHING],
	['no change to a user', update('user', { userId: user }, {}), NOTHING],
	['no change to a post', update('post', { postId: '1' }, {}), NOTHING],
	['no change to a tag', update('tag', { tagId: byId('1') }, {}), NOTHING],
	['no change in place of all fields', update('tag', { tagId: byId('1') }, {}, false), NOTHING],
	[
		'a change whose only value is missing',
		update('board', { boardId: board }, { about: '={{ $json.missing }}' }),
		{ ...NOTHING, message: "The expression gave nothing. Check the field's name in the input." },
	],
	[
		'a board replaced without its required fields',
		update('board', { boardId: board }, { about: 'x', isPrivate: true }, false),
		lacks('"Name", "Needs Approval", "Visible To", "Who Can Post"'),
	],
	[
		'a user replaced without the first name',
		update('user', { userId: user }, { username: 'x' }, false),
		lacks('"First Name"', 'Keep What the API Shows'),
	],
	[
		'a post replaced without its required fields',
		update('post', { postId: '1' }, { headline: 'x' }, false),
		lacks('"Author", "Board", "Content"'),
	],
	[
		'a tag replaced without its name',
		update('tag', { tagId: byId('1') }, { description: 'x' }, false),
		lacks('"Name"'),
	],
];

it.each(cases)('%s: nothing is sent', async (_, parameters, { error, message }) => {
	const onError = 'continueRegularOutput';
	const { items } = await runNode(sandbox, parameters, { onError });
	expect(items).toEqual([{ json: { error, message, details: {} }, pairedItem: { item: 0 } }]);
	const { error: stopped } = await runNode(sandbox, parameters);
	expect(stopped?.message).toBe(error);
	expect(stopped?.description).toBe(toldAtStop(parameters, message));
	expect(asked(sandbox)).toEqual([]);
});

it('a record that lacks what an update needs is not written', async () => {
	const { value: post } = sandbox.community.posts.entries().next();
	if (!post) throw new TypeError('The sandbox has no posts');
	const [id, { author_id: authorId }] = post;
	sandbox.community.removeUser(authorId);
	const parameters = update('post', { postId: String(id) }, { headline: 'New' });
	const { error } = await runNode(sandbox, parameters);
	expect(error?.message).toBe('An update needs a value for "Author"');
	expect(error?.description).toBe(
		'Add "Author" under "Update Fields": the API did not show the current value. Nothing was changed.',
	);
	expect(asked(sandbox)).toEqual([`GET /api/v1/posts/${id}`]);
});

it('each item is judged by itself', async () => {
	const parameters = of('user', 'get', { userId: byId('={{ $json.id }}') });
	const { items } = await runNode(sandbox, parameters, {
		items: [{ id: 'me' }, { id: 101 }, {}, { id: ' 102 ' }],
		onError: 'continueRegularOutput',
	});
	expect(items.map(({ json }) => json.user_id ?? json.error)).toEqual([
		"'me' is not the msid of a user",
		101,
		'The parameter "User" is empty',
		102,
	]);
});
