import { resources } from '../../nodes/CommunityPlatform/actions/index.ts';
import { asked, useSandbox } from '../support/community.mts';
import { VALUE, VALUE_AS_ID } from '../support/refusals.mts';
import { runNode } from '../support/engine.mts';
import { wireCases } from '../support/wire/cases.mts';
import { action } from '../support/operations.mts';

const sandbox = useSandbox({ members: 60 });

/** The operations with a record's ID in the path, with the parameter for it. */
const addressed = resources.flatMap(({ value, operations }) =>
	operations.flatMap(({ value: operation, request }) => {
		const [, name] = /\{(\w+)\}/.exec(request.url) ?? [];
		return name === undefined ? [] : [{ key: `${value}.${operation}`, name }];
	}),
);

it.each(addressed)('$key refuses a $name that would change the path', async ({ key, name }) => {
	const wire = wireCases.find((each) => each.operation === key);
	const expression = /^(postId|commentId|replyId)$/.test(name) ? VALUE : VALUE_AS_ID;
	const parameters = action(key, { ...wire?.parameters, [name]: expression });
	for (const value of ['../2', '2/members', '2?x=1', '2#', '%2e%2e', 'us', true]) {
		const { error } = await runNode(sandbox, parameters, { items: [{ value }] });
		expect(error?.message).toMatch(/^('.+' is not |No (board|tag|member) (named|has) .*'.+')/);
	}
	// A value that may be a name is searched in the lists.
	for (const line of asked(sandbox)) expect(line).toMatch(/^GET \/api\/v1\/(boards|tags|users)\?/);
});

it("names the parameter if a tag's name contains half an emoji", async () => {
	const { error } = await runNode(sandbox, action('tag.upsert', { name: 'News \ud83d' }));
	expect(`${error?.message}${error?.description}`).toContain("'Name'");
	expect(asked(sandbox).filter((line) => !line.startsWith('GET'))).toEqual([]);
});
