import fc from 'fast-check';
import { NodeHelpers, type INodeParameters } from 'n8n-workflow';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { asked, byId } from '../support/community.mts';
import { ADA, addKnownRecords, useKnownRecords } from '../support/known-records.mts';
import { runNode } from '../support/engine.mts';
import { action } from '../support/operations.mts';

const sandbox = useKnownRecords();

// The fields that no read returns (docs/decisions.md, A8), by label and name, with a value.
const HIDDEN: Array<[label: string, name: string, field: string, value: string]> = [
	['Banner URL', 'banner', 'banner', 'https://images.example/b.png'],
	['Language', 'lang', 'lang', 'de'],
	['Last Name', 'lastName', 'last_name', 'Byron'],
	['Middle Name', 'middleName', 'middle_name', 'Augusta'],
	['Social Media Links', 'socialMediaLinks', 'social_media_links', '{"a":"https://a.example"}'],
	['Timezone', 'timezone', 'timezone', 'UTC'],
];

const update = (updateFields: INodeParameters, rest: INodeParameters = {}) =>
	action('user.update', { userId: byId(ADA), updateFields, ...rest });

it('an update that would clear hidden fields is refused, and nothing is sent', async () => {
	const { error } = await runNode(sandbox, update({ username: 'ada_k' }));
	expect(error?.message).toBe(
		"This update could clear 'Banner URL', 'Language', 'Last Name', 'Middle Name', 'Social Media Links', 'Timezone', which the API does not return",
	);
	expect(error?.description).toMatch(
		/^Nothing was changed\. Add each field to 'Update Fields' .* choose 'Allow Clearing' in 'Unreadable Fields'\. .* https:\S+#how-to-find-out$/,
	);
	expect(asked(sandbox)).toEqual([]);
	expect(sandbox.community.user(ADA).last_name).toBe('Lovelace');
});

it.each(['out', 'cell'])(
	'an update is refused if any field is %s, or else sent whole',
	async (missing) => {
		const choice = fc.constantFrom(missing, 'empty', 'entered', 'set by an expression');
		await fc.assert(
			fc.asyncProperty(fc.tuple(...HIDDEN.map(() => choice)), async (choices) => {
				sandbox.reset();
				addKnownRecords(sandbox);
				const fields: INodeParameters = { username: 'ada_k' };
				const expected: Record<string, unknown> = {};
				for (const [at, [, name, field, value]] of HIDDEN.entries()) {
					const isJson = name === 'socialMediaLinks';
					const empty = isJson ? '{}' : '';
					if (choices[at] === 'cell') fields[name] = '={{ $json.cell }}';
					if (choices[at] === 'empty') fields[name] = empty;
					if (choices[at] === 'entered') fields[name] = value;
					if (choices[at] === 'set by an expression') fields[name] = `={{ $json.${name} }}`;
					const sent = choices[at] === 'empty' ? empty : value;
					expected[field] = isJson ? JSON.parse(sent) : sent;
				}
				const row = Object.fromEntries(HIDDEN.map(([, name, , value]) => [name, value]));
				const items = fc.sample(fc.constantFrom('', null), 1).map((cell) => ({ ...row, cell }));
				const { error } = await runNode(sandbox, update(fields), { items });
				const left = HIDDEN.filter((_, at) => choices[at] === missing);
				if (left.length === 0) {
					expect(error).toBeUndefined();
					expect(sandbox.requests.matching('PUT')[0].body).toMatchObject(expected);
				} else {
					const labels = left.map(([label]) => `'${label}'`).join(', ');
					expect(error?.message).toContain(`could clear ${labels}, which`);
					expect(asked(sandbox)).toEqual([]);
				}
			}),
			{
				numRuns: 12,
				examples: [[HIDDEN.map(() => 'empty')], [HIDDEN.map(() => 'entered')]] as never,
			},
		);
	},
);

it('n8n saves and loads a field that was added and left empty', async () => {
	const { properties } = new CommunityPlatform().description;
	const all = Object.fromEntries(HIDDEN.map(([, name, , value]) => [name, value]));
	const parameters = update({ ...all, lang: '', socialMediaLinks: '{}' });
	const node = { typeVersion: 1 };
	const saved = NodeHelpers.getNodeParameters(properties, parameters, false, false, node, null);
	const { error } = await runNode(sandbox, { ...saved });
	expect(error).toBeUndefined();
	const cleared = { lang: '', social_media_links: {} };
	expect(sandbox.requests.matching('PUT')[0].body).toMatchObject({
		last_name: 'Byron',
		...cleared,
	});
});

describe('an expression without a value', () => {
	it('is named if a field would be cleared because of it', async () => {
		const others = Object.fromEntries(HIDDEN.map(([, name, , value]) => [name, value]));
		const { error } = await runNode(sandbox, update({ ...others, lastName: '={{ $json.nope }}' }));
		expect(error?.message).toContain("could clear 'Last Name', which");
		expect(error?.description).toContain("This item has no value for 'Last Name'.");
		expect(asked(sandbox)).toEqual([]);
	});

	it('of one of several items ends with the link', async () => {
		const items = [{}, {}];
		const { error } = await runNode(sandbox, update({ username: 'ada_k' }), { items });
		expect(error?.description).toMatch(
			/^Nothing was .* 'Continue \(using error output\)'\. How .*#how-to-find-out$/,
		);
		expect(error?.description?.match(/Nothing was changed/g)).toHaveLength(1);
	});

	it('is reported even if the whole record is replaced', async () => {
		const { hints } = await runNode(
			sandbox,
			update(
				{ firstName: 'Ada', userDescription: '={{ $json.nope }}' },
				{ keepOtherFields: false },
			),
		);
		expect(hints).toEqual([expect.stringContaining("no value for 'Description'")]);
	});

	it('keeps the field, and a hint reports it', async () => {
		const { hints, error } = await runNode(
			sandbox,
			action('post.update', {
				postId: '9100',
				updateFields: { headline: '={{ $json.headline }}', content: 'New' },
			}),
			{ items: [{ headline: 'One' }, {}] },
		);
		expect(error).toBeUndefined();
		expect(hints).toEqual([
			'2 of 2 updated.',
			"At least one item has no value for 'Headline', so the node did not set it there. If you expected a value, check the field's name in the input.",
		]);
		expect(sandbox.community.posts.get(9100)).toMatchObject({ headline: 'One', content: 'New' });
	});
});
