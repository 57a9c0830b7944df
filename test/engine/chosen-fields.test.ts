import type { INodeParameters } from 'n8n-workflow';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { openApi } from '../../sandbox/openapi.mts';
import { byId } from '../support/community.mts';
import { parametersOf } from '../support/description.mts';
import { ADA, useKnownRecords } from '../support/known-records.mts';
import { action } from '../support/operations.mts';
import { callAsTool } from '../support/agent.mts';
import { runNode } from '../support/engine.mts';

const sandbox = useKnownRecords();
const { properties } = new CommunityPlatform().description;
const { schemas } = openApi.components;

function offered(operation: string): string[] {
	const [options] = parametersOf(properties, operation).filter(({ name }) => name === 'options');
	const [fields] = (options.options as typeof properties).filter(({ name }) => name === 'fields');
	return (fields.options as Array<{ value: string }>).map(({ value }) => value);
}

it.each([
	['user.getSelf', ['UserSelf']],
	['user.create', ['UserSelf']],
	['user.createOrGet', ['UserSelf', 'UserGet']],
	['user.get', ['UserGet']],
	['user.update', ['UserDetail']],
	['user.getAll', ['UserListItem', 'UserGet']],
	['tag.getAll', ['TagSummary']],
	['tag.get', ['TagFull']],
	['role.getAll', ['Role']],
])('%s offers the fields that its records can have', (operation, forms) => {
	const fields = forms.flatMap((form) => Object.keys(schemas[form].properties as object));
	const names = fields.includes('user_status') ? ['user_status_name'] : [];
	expect(new Set(offered(operation))).toEqual(new Set([...fields, ...names]));
});

describe('Fields that the record does not have', () => {
	const list = (options: INodeParameters) => action('user.getAll', { limit: 2, options });
	const get = (...fields: string[]) =>
		action('user.get', { userId: byId(ADA), options: { fields } });

	it.each<[string, INodeParameters, object, string[]]>([
		[
			'in a list, unless details are read',
			list({ fields: ['username', 'email', 'post_count'] }),
			{ email: null, post_count: null },
			[
				"This list does not contain 'Email' or 'Post Count', so these fields are empty. To read each member, turn on 'Include Details' under 'Options'.",
			],
		],
		[
			'in no form of a list',
			list({ fields: ['last_name'], includeDetails: true }),
			{ last_name: null },
			[
				"This list does not contain 'Last Name', so this field is empty. Choose other fields in 'Fields'.",
			],
		],
		[
			'of another resource',
			action('board.getAll', { options: { fields: ['tag_id'] } }),
			{ board_id: expect.any(Number), tag_id: null },
			[
				"This list does not contain 'Tag ID', so this field is empty. Choose other fields in 'Fields'.",
			],
		],
		[
			'in a single record',
			get('banner', 'email'),
			{ msid: ADA, banner: null, email: 'ada@members.example' },
			[
				"This record does not contain 'Banner URL', so this field is empty. Choose other fields in 'Fields'.",
			],
		],
		['but only such a field', get('email', 'sid'), { sid: 'a1b2c3' }, []],
	])(
		'returns null and a hint for fields that are missing: %s',
		async (_, parameters, expected, told) => {
			const { items, hints, error } = await runNode(sandbox, parameters);
			expect(error).toBeUndefined();
			expect(items[0].json).toMatchObject(expected);
			expect(hints.filter((hint) => /empty|Include Details/.test(hint))).toEqual(told);
		},
	);

	it('returns the value that an update set for a field that is not returned, without a hint', async () => {
		const { items, hints } = await runNode(
			sandbox,
			action('user.update', {
				userId: byId(ADA),
				hiddenFields: 'clear',
				updateFields: { lastName: 'Byron' },
				options: { fields: ['last_name'] },
			}),
		);
		expect(items[0].json).toEqual({ msid: ADA, last_name: 'Byron' });
		expect(hints.join()).not.toContain('This record does not contain');
	});

	it('tells a model that a field is empty without advice that only a person can follow', async () => {
		const fields = { output: 'selectedFields', fields: ['email'] };
		const { answers } = await callAsTool(
			sandbox,
			action('user.getAll', { limit: 1, ...fields }),
			{},
		);
		expect(JSON.parse(answers[0])).toContainEqual({
			hint: "This list does not contain 'Email', so this field is empty.",
		});
	});
});
