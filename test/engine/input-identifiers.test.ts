import fc from 'fast-check';
import { resources } from '../../nodes/CommunityPlatform/actions/index.ts';
import { asked, useSandbox } from '../support/community.mts';
import { of, VALUE, VALUE_AS_ID } from '../support/refusals.mts';
import { runNode } from './engine.mts';
import { wireCases } from './wire/cases.mts';

const sandbox = useSandbox({ members: 60 });

/** The operations whose path names a record, with the parameter that names it. */
const addressed = resources.flatMap(({ value, operations }) =>
	operations.flatMap(({ value: operation, request }) => {
		const [, name] = /\{(\w+)\}/.exec(request.url) ?? [];
		return name === undefined ? [] : [{ key: `${value}.${operation}`, name }];
	}),
);

it.each(addressed)('$key takes no $name that would lead elsewhere', async ({ key, name }) => {
	const [resource, operation] = key.split('.');
	const wire = wireCases.find((each) => each.operation === key);
	const given = /^(postId|commentId|replyId)$/.test(name) ? VALUE : VALUE_AS_ID;
	const parameters = of(resource, operation, { ...wire?.parameters, [name]: given });
	for (const value of ['../2', '2/members', '2?x=1', '2#', '%2e%2e', 'me', true]) {
		const { error } = await runNode(sandbox, parameters, { items: [{ value }] });
		expect(error?.message).toMatch(/^'.+' is not (a \w+ ID|the msid of a user)$/);
	}
	expect(asked(sandbox)).toEqual([]);
});

describe('whatever stands where an identifier belongs', () => {
	// What can come out of JSON, of a spreadsheet or of a text field, near misses included.
	const junk = fc
		.oneof(
			fc.jsonValue(),
			fc.string(),
			fc.string({ unit: fc.constantFrom(...'0123456789./?#%\\ \n\t&=:@me') }),
			fc.constantFrom('../users', '1/../2', '%2e%2e', '1%2f2', 'reorder', '٣', '1\u0000'),
		)
		// An email address is looked up.
		.filter((value) => !/^[^\s@]+@[^\s@]+$/.test(typeof value === 'string' ? value.trim() : ''));
	const isNumber = (text: string) => /^[0-9]+$/.test(text);
	const isMember = (text: string) => /^[0-9]+(\.[^\s/?#]+)?$/.test(text);

	it.each([
		['number', of('board', 'get', { boardId: VALUE_AS_ID }), isNumber, '/api/v1/boards/'],
		['msid', of('user', 'get', { userId: VALUE_AS_ID }), isMember, '/api/v1/users/'],
	] as const)('is a %s, or is refused and nothing is sent', async (_, parameters, fits, path) => {
		await fc.assert(
			fc.asyncProperty(fc.array(junk, { minLength: 40, maxLength: 60 }), async (values) => {
				sandbox.requests.clear();
				const texts = values.map((value) => {
					if (typeof value === 'object') return '';
					// Of any other number, not every digit is kept.
					if (typeof value === 'number' && !Number.isSafeInteger(value)) return '';
					return String(value).trim();
				});
				const { items } = await runNode(sandbox, parameters, {
					items: values.map((value) => ({ value }) as never),
					onError: 'continueRegularOutput',
				});
				const sent = texts.filter(fits);
				const spelled = sent.map((id) => encodeURIComponent(id.replace(/^0+(?=\d)/, '')));
				const expected = spelled.map((id) => `GET ${path}${id}`);
				expect(asked(sandbox).sort()).toEqual(expected.sort());
				const refusals = items.filter((_item, index) => !fits(texts[index]));
				for (const { json } of refusals) {
					expect(json.error).toMatch(
						/^(The parameter '(Board|User)' is (empty( in this item)?|a number that may have been rounded)|('[^]*'|A list|An object) is not (a board ID|the msid of a user))$/,
					);
				}
				expect(refusals.length + sent.length).toBe(values.length);
			}),
			// An object that cannot be made text.
			{ numRuns: 4, examples: [[[{ toString: null }]]] },
		);
	});
});

it('half an emoji in the name of a tag is told with its parameter', async () => {
	const { error } = await runNode(sandbox, of('tag', 'upsert', { name: 'News \ud83d' }));
	expect(`${error?.message}${error?.description}`).toContain("'Name'");
});
