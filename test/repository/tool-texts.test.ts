import { nodeNameToToolName, traverseNodeParameters, type FromAIArgument } from 'n8n-workflow';
import { toolNodes } from '../../dev/n8n/tool-nodes.mts';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { operationsOf, parametersOf } from '../support/description.mts';

const { description } = new CommunityPlatform();
const operations = operationsOf(description.properties);
const actions = operations.map(({ key, option }): [string, string] => [key, String(option.action)]);
// Providers of models refuse longer names.
const LONGEST_NAME = 64;
// All tools of a server share the context of a model.
const MOST_CHARACTERS = 1_100;
const MEAN_CHARACTERS = 650;
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
	['Board Create', ['Name', 'Private', 'Visible_To', 'Who_Can_Post', 'Needs_Approval']],
	['Post Update', ['Post_ID']],
	['Post Create', ['Board', 'Headline', 'Content']],
])('%s, served as a tool, requires %j, and the rest is optional', (name, required) => {
	const asked: FromAIArgument[] = [];
	traverseNodeParameters(toolNodes().find((tool) => tool.name === name)?.parameters ?? {}, asked);
	const needed = asked.filter(({ defaultValue }) => defaultValue === undefined);
	expect(needed.map(({ key }) => key)).toEqual(required);
	expect(asked.length).toBeGreaterThan(required.length);
});

// As n8n's MCP Server Trigger lists them.
it(`has tools with at most ${MOST_CHARACTERS} characters each, and ${MEAN_CHARACTERS} on average`, () => {
	const tools = toolNodes().map(({ name, parameters }) => {
		const asked: FromAIArgument[] = [];
		traverseNodeParameters(parameters, asked);
		const { resource, operation } = parameters;
		const { option } = operations.find(({ key }) => key === `${resource}.${operation}`)!;
		const properties = asked.map(({ key, type = 'string', description, defaultValue }) => [
			key,
			{ type, description, default: defaultValue },
		]);
		const required = asked.filter((each) => each.defaultValue === undefined).map(({ key }) => key);
		return {
			name: nodeNameToToolName(name),
			description: `${option.action} in ${description.defaults.name}`,
			inputSchema: {
				$schema: 'https://json-schema.org/draft/2020-12/schema',
				type: 'object',
				properties: Object.fromEntries(properties) as object,
				required,
				additionalProperties: true,
			},
		};
	});
	expect(tools).toHaveLength(operations.length);
	expect(tools.filter((tool) => JSON.stringify(tool).length > MOST_CHARACTERS)).toEqual([]);
	expect(JSON.stringify(tools).length / tools.length).toBeLessThanOrEqual(MEAN_CHARACTERS);
});
