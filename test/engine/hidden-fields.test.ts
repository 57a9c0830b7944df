import fc from 'fast-check';
import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { asked, byId, useSandbox } from '../support/community.mts';
import { ADA, addKnownRecords, STILL } from '../support/known.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox(STILL);
beforeEach(() => addKnownRecords(sandbox));

// What no answer to a read shows (docs/decisions.md, A8), by label and name, with a value.
const HIDDEN: Array<[label: string, name: string, field: string, value: string]> = [
	['Banner URL', 'banner', 'banner', 'https://images.example/b.png'],
	['Language', 'lang', 'lang', 'de'],
	['Last Name', 'lastName', 'last_name', 'Byron'],
	['Middle Name', 'middleName', 'middle_name', 'Augusta'],
	['Social Media Links', 'socialMediaLinks', 'social_media_links', '{"a":"https://a.example"}'],
	['Timezone', 'timezone', 'timezone', 'UTC'],
];

const update = (updateFields: INodeParameters, rest: INodeParameters = {}) => ({
	...{ resource: 'user', operation: 'update', userId: byId(ADA), updateFields },
	...rest,
});

it('an update that would clear what the API does not show is refused, and nothing is sent', async () => {
	const { error } = await runNode(sandbox, update({ username: 'ada_k' }));
	expect(error?.message).toBe(
		'This update would clear "Banner URL", "Language", "Last Name", "Middle Name", "Social Media Links", "Timezone", which the API does not show',
	);
	expect(error?.description).toBe(
		'In "Update Fields" → "All Hidden Fields", copy each from the member\'s profile in the community; choose what is empty there in "Without a Value". Only if they may be lost, choose "May Be Cleared" in "What the API Does Not Show". Nothing was changed.',
	);
	expect(asked(sandbox)).toEqual([]);
	expect(sandbox.community.user(ADA).last_name).toBe('Lovelace');
});

it('is refused for whatever is left out, and sent once each field is given or given as empty', async () => {
	const choice = fc.constantFrom('out', 'empty', 'given');
	await fc.assert(
		fc.asyncProperty(fc.tuple(...HIDDEN.map(() => choice)), async (choices) => {
			sandbox.reset();
			addKnownRecords(sandbox);
			const given: INodeParameters = { username: 'ada_k' };
			for (const [at, [, name, , value]] of HIDDEN.entries()) {
				const empty = name === 'socialMediaLinks' ? '{}' : '';
				if (choices[at] !== 'out') given[name] = choices[at] === 'empty' ? empty : value;
			}
			const { error } = await runNode(sandbox, update(given));
			const left = HIDDEN.filter((_, at) => choices[at] === 'out').map(([label]) => `"${label}"`);
			if (left.length === 0) {
				expect(error).toBeUndefined();
				const [{ body }] = sandbox.requests.matching('PUT');
				expect(Object.keys(body as object)).toEqual(
					expect.arrayContaining(HIDDEN.map(([, , field]) => field)),
				);
			} else {
				expect(error?.message).toContain(`would clear ${left.join(', ')}, which`);
				expect(asked(sandbox)).toEqual([]);
			}
		}),
		{ numRuns: 40, examples: [[HIDDEN.map(() => 'empty')], [HIDDEN.map(() => 'given')]] as never },
	);
});

describe('All Hidden Fields', () => {
	const sent = () => sandbox.requests.matching('PUT')[0].body as object;
	const all = Object.fromEntries(HIDDEN.map(([, name, , value]) => [name, value]));
	const without = (...names: string[]) => ({ withoutValue: names });
	const group = (fields: INodeParameters, rest: INodeParameters = {}) =>
		update({ ...rest, allHiddenFields: { fields } });

	it('clears what is chosen, sends what is given, and refuses what is neither', async () => {
		const choice = fc.constantFrom('out', 'empty', 'given', 'chosen');
		await fc.assert(
			fc.asyncProperty(fc.tuple(...HIDDEN.map(() => choice)), async (choices) => {
				sandbox.reset();
				addKnownRecords(sandbox);
				const fields: INodeParameters = {};
				const chosen: string[] = [];
				const expected: Record<string, unknown> = {};
				for (const [at, [, name, field, value]] of HIDDEN.entries()) {
					const isJson = name === 'socialMediaLinks';
					if (choices[at] === 'given') fields[name] = value;
					if (choices[at] === 'empty') fields[name] = isJson ? '{}' : '';
					if (choices[at] === 'chosen') chosen.push(name);
					const cleared = isJson ? {} : '';
					const given = isJson ? JSON.parse(value) : value;
					expected[field] = choices[at] === 'given' ? given : cleared;
				}
				const { error } = await runNode(
					sandbox,
					group({ ...fields, ...without(...chosen) }, { username: 'ada_k' }),
				);
				const left = HIDDEN.filter((_, at) => ['out', 'empty'].includes(choices[at]));
				if (left.length === 0) {
					expect(error).toBeUndefined();
					expect(sent()).toMatchObject(expected);
				} else {
					const labels = left.map(([label]) => `"${label}"`).join(', ');
					expect(error?.message).toContain(`would clear ${labels}, which`);
					expect(error?.description).not.toContain('expression');
					expect(asked(sandbox)).toEqual([]);
				}
			}),
			{
				numRuns: 40,
				examples: [[HIDDEN.map(() => 'chosen')], [HIDDEN.map(() => 'empty')]] as never,
			},
		);
	});

	it('says what was set to empty', async () => {
		const fields = {
			...all,
			banner: '',
			socialMediaLinks: '',
			...without('banner', 'socialMediaLinks'),
		};
		const { hints } = await runNode(sandbox, group(fields));
		expect(hints).toEqual([
			'Empty after the update, as given: "Banner URL", "Social Media Links".',
		]);
		const dry = await runNode(sandbox, { ...group(fields), options: { dryRun: true } });
		expect(dry.hints).toContain(
			'Would be empty after the update, as given: "Banner URL", "Social Media Links".',
		);
	});

	it('is what n8n saves and gives back of it', async () => {
		const { properties } = new CommunityPlatform().description;
		const given = group({ ...all, lang: '', ...without('lang') });
		const node = { typeVersion: 1 };
		const saved = NodeHelpers.getNodeParameters(properties, given, false, false, node, null);
		const { error } = await runNode(sandbox, { ...saved });
		expect(error).toBeUndefined();
		expect(sent()).toMatchObject({ last_name: 'Byron', lang: '' });
	});

	it('yields to a field that is given by itself', async () => {
		await runNode(sandbox, group({ ...all, lastName: '' }, { lastName: 'King' }));
		expect(sent()).toMatchObject({ last_name: 'King', middle_name: 'Augusta' });
	});

	it('gives a field that was also added by itself, and left empty there', async () => {
		await runNode(sandbox, group(all, { lastName: '', socialMediaLinks: '{}' }));
		expect(sent()).toMatchObject({
			...{ last_name: 'Byron', social_media_links: { a: 'https://a.example' } },
		});
	});

	it('is refused where a field is left empty in both places', async () => {
		const { error } = await runNode(sandbox, group({ ...all, lastName: '' }, { lastName: '' }));
		expect(error?.message).toContain('would clear "Last Name", which');
		expect(asked(sandbox)).toEqual([]);
	});

	it.each([
		['holds another value than the field that was added by itself', { lastName: 'Byron' }],
		['says that a field is to have no value that was added by itself', without('lastName')],
	])('is refused where it %s', async (_, fields) => {
		const others = { ...all, lastName: '' };
		const { error } = await runNode(
			sandbox,
			group({ ...others, lang: 'en', ...fields }, { lastName: 'King', lang: 'en' }),
		);
		expect(error?.message).toBe(
			'The parameter "Last Name" is given twice, by itself and under "All Hidden Fields"',
		);
		expect(error?.description).toBe('Give "Last Name" in one place only. Nothing was changed.');
		expect(asked(sandbox)).toEqual([]);
	});

	it('is refused where a field has a value and is to have none', async () => {
		const { error } = await runNode(sandbox, group({ ...all, ...without('lang') }));
		expect(error?.message).toBe(
			'The parameter "Language" has a value and is chosen in "Without a Value"',
		);
		expect(error?.description).toBe(
			'Leave it empty, or take it out of "Without a Value". Nothing was changed.',
		);
		expect(asked(sandbox)).toEqual([]);
	});

	it('is refused for a field whose expression gave nothing', async () => {
		const { error } = await runNode(sandbox, group({ ...all, lastName: '={{ $json.nope }}' }));
		expect(error?.message).toContain('would clear "Last Name", which');
		expect(error?.description).toContain(
			'What is given for "Last Name" is an expression that gave nothing.',
		);
		expect(asked(sandbox)).toEqual([]);
	});
});

it('is refused where an expression gave nothing, item by item', async () => {
	const others = Object.fromEntries(HIDDEN.map(([, name, , value]) => [name, value]));
	const fields = { ...others, lastName: '={{ $json.lastName }}' };
	const { items } = await runNode(sandbox, update(fields), {
		items: [{ lastName: '' }, { surname: 'Byron' }],
		onError: 'continueRegularOutput',
	});
	expect(items.map(({ json }) => json.error === undefined)).toEqual([true, false]);
	expect(asked(sandbox)).toHaveLength(2);
});

it('lets them be cleared where that is chosen', async () => {
	const { error } = await runNode(
		sandbox,
		update({ username: 'ada_k' }, { hiddenFields: 'clear' }),
	);
	expect(error).toBeUndefined();
	expect(sandbox.community.user(ADA)).toMatchObject({ last_name: null, username: 'ada_k' });
});

it('does not apply to replacing the whole record', async () => {
	const { error } = await runNode(
		sandbox,
		update({ firstName: 'Ada' }, { keepOtherFields: false }),
	);
	expect(error).toBeUndefined();
	expect(asked(sandbox)).toEqual([`PUT /api/v1/users/${ADA}`]);
});

describe('an expression that gave nothing', () => {
	const NOTHING = "The expression gave nothing. Check the field's name in the input.";

	it('is named as the cause where no other field is given', async () => {
		const { error } = await runNode(
			sandbox,
			update({ username: '={{ $json.nope }}' }, { hiddenFields: 'clear' }),
		);
		expect(error?.message).toBe('Nothing was given to change');
		expect(error?.description).toBe(`${NOTHING} Nothing was changed.`);
		expect(asked(sandbox)).toEqual([]);
	});

	it('is named where a field would be cleared for it', async () => {
		const others = Object.fromEntries(HIDDEN.map(([, name, , value]) => [name, value]));
		const { error } = await runNode(sandbox, update({ ...others, lastName: '={{ $json.nope }}' }));
		expect(error?.message).toContain('would clear "Last Name", which');
		expect(error?.description).toContain(
			'What is given for "Last Name" is an expression that gave nothing.',
		);
		expect(asked(sandbox)).toEqual([]);
	});

	it('is told also where the whole record is replaced', async () => {
		const { hints } = await runNode(
			sandbox,
			update(
				{ firstName: 'Ada', userDescription: '={{ $json.nope }}' },
				{ keepOtherFields: false },
			),
		);
		expect(hints).toEqual([expect.stringContaining('in "Description" gave nothing')]);
	});

	it('leaves the field as it is, and the user is told', async () => {
		const { hints, error } = await runNode(
			sandbox,
			{
				...{ resource: 'post', operation: 'update', postId: '9100' },
				updateFields: { headline: '={{ $json.headline }}', content: 'New' },
			},
			{ items: [{ headline: 'One' }, {}] },
		);
		expect(error).toBeUndefined();
		expect(hints).toEqual([
			'The expression in "Headline" gave nothing for at least one item, so the node did not set it there. Check the field\'s name in the input.',
		]);
		expect(sandbox.community.posts.get(9100)).toMatchObject({ headline: 'One', content: 'New' });
	});
});

it('an update starts with no value for any text, so that none is set unnoticed', () => {
	const { properties } = new CommunityPlatform().description;
	const groups = properties.filter(({ name }) => name === 'updateFields');
	const texts = groups.flatMap(({ options }) =>
		(options as INodeProperties[]).filter(({ type }) => type === 'string'),
	);
	expect(texts.length).toBeGreaterThan(15);
	expect(texts.filter((field) => field.default !== '')).toEqual([]);
});

it('gives language and timezone, which no answer has, when they were set', async () => {
	const fields = Object.fromEntries(HIDDEN.map(([, name, , value]) => [name, value]));
	const { items } = await runNode(sandbox, update({ ...fields, lang: 'de' }));
	expect(items[0].json).toMatchObject({ lang: 'de', timezone: 'UTC', last_name: 'Byron' });
});
