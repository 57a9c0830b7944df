import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { asked, byId, useSandbox } from '../support/community.mts';
import { ADA, addKnownRecords, STILL } from '../support/known.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox(STILL);
beforeEach(() => addKnownRecords(sandbox));

// What no answer to a read shows (contract, decision 8), by label and name, with a value.
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
		'The API does not show "Banner URL", "Language", "Last Name", "Middle Name", "Social Media Links", "Timezone", so this update would clear them',
	);
	expect(error?.description).toBe(
		'Add each of them under "Update Fields", with its value or empty, or choose "Let Them Be Cleared" in "Fields the API Does Not Show". Nothing was changed.',
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
				expect(error?.message).toContain(`does not show ${left.join(', ')}, so this`);
				expect(asked(sandbox)).toEqual([]);
			}
		}),
		{ numRuns: 40, examples: [[HIDDEN.map(() => 'empty')], [HIDDEN.map(() => 'given')]] as never },
	);
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

it('asks nobody who replaces the whole record', async () => {
	const { error } = await runNode(
		sandbox,
		update({ firstName: 'Ada' }, { keepOtherFields: false }),
	);
	expect(error).toBeUndefined();
	expect(asked(sandbox)).toEqual([`PUT /api/v1/users/${ADA}`]);
});
