import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { useSandbox } from '../support/community.mts';
import { operationsOf } from '../support/description.mts';
import { readme } from '../support/examples.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox();
const [, section = ''] = readme().split('\n## Your first flow in five minutes\n');

it("the README's first flow names an action of the node", () => {
	const { properties } = new CommunityPlatform().description;
	const post = operationsOf(properties).find(({ key }) => key === 'post.create');
	expect(section.replace(/\s+/g, ' ')).toContain(`**${post?.option.action}**`);
});

it("the README's first flow welcomes a member who has joined", async () => {
	const [, table = ''] = /\| what to enter \|\n.*\n((?: +\|.*\n)+)/.exec(section) ?? [];
	const rows = [...table.matchAll(/\| ([^|]+) \| `([^`]+)`/g)];
	const entered = new Map(rows.map(([, label, value]) => [label, value]));
	// As the editor does with what holds an expression.
	const parameter = (label: string) => {
		const value = entered.get(label) ?? '';
		return value.includes('{{') ? `=${value}` : value;
	};
	const { items, error } = await runNode(
		sandbox,
		{
			resource: 'post',
			operation: 'create',
			boardId: { __rl: true, mode: 'name', value: parameter('Board') } as never,
			headline: parameter('Headline'),
			content: parameter('Content'),
		},
		{ items: [{ event: 'member.joined', user: { first_name: '<b>Ada</b>' } }] },
	);

	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	expect(items[0].json).toMatchObject({ headline: 'Welcome, Ada!' });
	expect(String(items[0].json.clean_text)).toMatch(/^It is good to have you here\./);
});
