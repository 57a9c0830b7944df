import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId, useSandbox } from '../support/community.mts';
import { of } from '../support/refusals.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox({ members: 60 });

/** For each parameter of "Update Fields": the field of the API, and values it can have. */
type Fields = Record<string, [field: string, values: fc.Arbitrary<unknown>]>;

const words = fc.stringMatching(/^[a-z][a-z ]{0,12}$/);
const color = fc.constantFrom('#ffffff', '#330000', '#12345678');
const yesOrNo = fc.boolean();

const boardFields: Fields = {
	boardName: ['board_name', words],
	about: ['about', words],
	icon: ['icon', words],
	isPrivate: ['is_private', yesOrNo],
	needsApproval: ['needs_approval', yesOrNo],
	hiddenType: ['hidden_type', fc.constantFrom(0, 1, 2)],
	permissionFor: ['permission_for', fc.constantFrom(1, 5, 10)],
};
const tagFields: Fields = {
	description: ['description', words],
	image: ['image', fc.webUrl()],
	ogTitle: ['og_title', words],
	ogDescription: ['og_description', words],
	backColor: ['back_color', color],
	textColor: ['text_color', color],
};
const userFields: Fields = {
	firstName: ['first_name', words],
	userDescription: ['user_description', words],
	userAvatar: ['user_avatar', fc.webUrl()],
};

interface Case {
	resource: string;
	locator(): INodeParameters;
	record(): object;
	fields: Fields;
	/** What PUT takes besides; it is never given here and stays. */
	others: string[];
}
const cases: Case[] = [
	{
		resource: 'board',
		locator: () => ({ boardId: byId('3') }),
		record: () => sandbox.community.boards.get(3) as object,
		fields: boardFields,
		others: [],
	},
	{
		resource: 'tag',
		locator: () => ({ tagId: byId('501') }),
		record: () => sandbox.community.tags.get(501) as object,
		fields: tagFields,
		others: ['og_image'],
	},
	{
		resource: 'user',
		locator: () => ({ userId: byId(sandbox.community.caller.msid) }),
		record: () => sandbox.community.caller,
		fields: userFields,
		others: ['username'],
	},
];

// What can never be null in a record of the API.
const ALWAYS = ['board_name', 'is_private', 'needs_approval', 'hidden_type', 'permission_for'];
const NEVER_NULL = [...ALWAYS, 'first_name', 'back_color', 'text_color'];

it.each(cases)('PUT gets the $resource as it was, with what was given over it', async (each) => {
	const { resource, fields, others } = each;
	const apiFields = Object.fromEntries(Object.values(fields));
	const records = fc.record(
		Object.fromEntries(
			Object.entries(apiFields).map(([field, values]) => [
				field,
				NEVER_NULL.includes(field) ? values : fc.option(values),
			]),
		),
	);
	const changes = fc
		.record(
			Object.fromEntries(Object.entries(fields).map(([name, [, values]]) => [name, values])),
			{ requiredKeys: [] },
		)
		.filter((given) => Object.keys(given).length > 0);
	await fc.assert(
		fc.asyncProperty(records, changes, async (record, given) => {
			sandbox.requests.clear();
			Object.assign(each.record(), record);
			const before: IDataObject = { ...each.record() };
			const { error } = await runNode(
				sandbox,
				of(resource, 'update', { ...each.locator(), hiddenFields: 'clear', updateFields: given }),
			);
			expect(error).toBeUndefined();
			const spelled = resource === 'tag' ? { name: before.display_name } : {};
			const kept = [...Object.keys(apiFields), ...others]
				.map((field) => [field, before[field]] as const)
				.filter(([, value]) => value !== null && value !== undefined);
			const over = Object.entries(given).map(([name, value]) => [fields[name][0], value]);
			const [put] = sandbox.requests.matching('PUT');
			expect(put.body).toEqual({
				...spelled,
				...Object.fromEntries(kept),
				...Object.fromEntries(over),
			});
			expect(each.record()).toMatchObject({ ...record, ...Object.fromEntries(over) });
		}),
		{ numRuns: 25 },
	);
});
