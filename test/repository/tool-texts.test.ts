import { nodeNameToToolName, traverseNodeParameters, type FromAIArgument } from 'n8n-workflow';
import { toolNodes } from '../../dev/n8n/tool-nodes.mts';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { operationsOf, parametersOf } from '../support/description.mts';

const { description } = new CommunityPlatform();
const operations = operationsOf(description.properties);
const actions = operations.map(({ key, option }): [string, string] => [key, String(option.action)]);
// Providers of models refuse longer names.
const LONGEST_NAME = 64;
// n8n's name for a parameter that a model fills in, made from the label (its editor, `fromAIOverride.utils`).
const argumentOf = (label: string) => label.replace(/[^a-zA-Z0-9-]/g, '_').slice(0, 63);

describe.each(actions)('%s', (key, action) => {
	// The name of a node that is added from the list of actions is the action, and the name of a tool is the node's. n8n
	// shortens it only since 2.10, and adds a digit to a second node with the same name.
	it('results in a tool name that every model accepts', () => {
		const name = nodeNameToToolName(`${action} in ${description.defaults.name}1`);
		expect(`${action} in ${description.defaults.name}1`.length).toBeLessThan(LONGEST_NAME + 10);
		expect(name.endsWith('_in_Community_Platform1')).toBe(true);
		expect(name.length).toBeLessThanOrEqual(LONGEST_NAME);
	});

	it('has no two parameters with the same name for a model', () => {
		const labels = parametersOf(description.properties, key, 'tool').flatMap((field) =>
			field.type === 'collection'
				? (field.options ?? []).map((option) => 'displayName' in option && option.displayName)
				: field.displayName,
		);
		const asked = labels.map((label) => argumentOf(String(label)));
		expect(asked).toEqual([...new Set(asked)]);
	});
});

it.each([
	['Member Update Role', ['Member', 'Role']],
	['Board Update Members', ['Board']],
	['Board Create', ['Name', 'Visible_To', 'Who_Can_Post']],
	['Post Update', ['Post_ID']],
	['Post Create', ['Board', 'Headline', 'Content']],
])('%s, served as a tool, requires %j, and the rest is optional', (name, required) => {
	const asked: FromAIArgument[] = [];
	traverseNodeParameters(toolNodes().find((tool) => tool.name === name)?.parameters ?? {}, asked);
	const needed = asked.filter(({ defaultValue }) => defaultValue === undefined);
	expect(needed.map(({ key }) => key)).toEqual(required);
	expect(asked.length).toBeGreaterThan(required.length);
});
