import type {
	INode,
	INodeProperties,
	INodeTypeDescription,
	NodeParameterValueType,
} from 'n8n-workflow';
import { displayParameter, NodeHelpers } from 'n8n-workflow';
import { PACKAGE_NAME } from '../../dev/n8n/paths.mts';
import actionCodex from '../../nodes/CommunityPlatform/CommunityPlatform.node.json';
import pollingCodex from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.json';
import triggerCodex from '../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.json';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { CommunityPlatformPollingTrigger } from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.ts';
import { CommunityPlatformTrigger } from '../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.ts';
import { EXAMPLES, readme, WAY_TO_IMPORT, workflowOf } from '../support/examples.mts';

const DESCRIPTIONS = [
	CommunityPlatform,
	CommunityPlatformTrigger,
	CommunityPlatformPollingTrigger,
].map((Type) => new Type().description);
// The parameters that n8n itself adds to a tool and to a polling trigger.
const ADDED = ['descriptionType', 'toolDescription', 'pollTimes'];

test('the README explains how to import them', () => {
	expect(readme().replace(/\s+/g, ' ')).toContain(`(**${WAY_TO_IMPORT.join(' → ')}**)`);
});

describe.each(EXAMPLES)('%s', (name) => {
	const workflow = workflowOf(name);
	const { nodes } = workflow;
	const own = nodes
		.filter(({ type }) => type.startsWith(`${PACKAGE_NAME}.`))
		.map((node): [string, INode] => [node.name, node]);
	const names = nodes.map((node) => node.name);

	describe.each(own)('%s', (_name, node) => {
		const description = describing(node);
		const { properties } = description;

		it('is linked from the panel of the node', () => {
			const type = node.type.replace(/Tool$/, '');
			const codex = [actionCodex, pollingCodex, triggerCodex].find((each) => each.node === type);
			const url = expect.stringMatching(`/blob/main/examples/${name}\\.md$`) as string;
			const link = { label: workflow.name, icon: '📄', url };
			expect(codex?.resources.generic).toContainEqual(link);
		});

		it('has a version of the node', () => {
			expect([description.version].flat()).toContain(node.typeVersion);
		});

		it('sets only visible parameters, to available values', () => {
			const shown = properties.filter((property) =>
				displayParameter(withDefaults(node, description), property, node, description),
			);
			expect(mistakes(shown, node.parameters)).toEqual([]);
		});

		it('sets all required parameters', () => {
			const complete = { ...node, parameters: withDefaults(node, description) };
			expect(NodeHelpers.getNodeParametersIssues(properties, complete, description)).toBeNull();
		});

		it('refers to records by expression or by name, and to no credential', () => {
			const locators = (Object.values(node.parameters) as unknown[]).filter(isLocator);
			const byId = locators.filter(({ mode, value }) => mode !== 'name' && !isExpression(value));
			expect(byId).toEqual([]);
			expect(node.credentials).toBeUndefined();
			expect(node.webhookId).toBeUndefined();
		});
	});

	it('refers to existing nodes', () => {
		const text = nodes.map(({ parameters }) => JSON.stringify(parameters)).join();
		const referred = [...text.matchAll(/\$\('([^']+)'\)/g)].map(([, node]) => node);
		expect(names).toEqual(expect.arrayContaining(referred));
	});
});

function describing({ type }: INode): INodeTypeDescription {
	const bare = type.slice(PACKAGE_NAME.length + 1);
	const description = DESCRIPTIONS.find((each) =>
		[each.name, each.usableAsTool === true && `${each.name}Tool`].includes(bare),
	);
	if (description === undefined) throw new Error(`There is no node ${type}`);
	// n8n distinguishes the node from the tool by its name.
	return { ...description, name: type };
}

function withDefaults(node: INode, description: INodeTypeDescription): INode['parameters'] {
	const { properties } = description;
	const all = NodeHelpers.getNodeParameters(
		properties,
		node.parameters,
		true,
		false,
		node,
		description,
	);
	return { ...node.parameters, ...all };
}

/** Unknown parameters and unavailable values, including those in collections. */
function mistakes(properties: INodeProperties[], values: object): string[] {
	return Object.entries(values as Record<string, NodeParameterValueType>).flatMap(
		([key, value]) => {
			if (ADDED.includes(key)) return [];
			const property = properties.find(({ name }) => name === key);
			if (property === undefined) return [`${key} is not a parameter here`];
			const { type, options = [] } = property;
			if (type === 'collection') return mistakes(options as INodeProperties[], value as object);
			if (type !== 'options' && type !== 'multiOptions') return [];
			const offered = options.map((option) => 'value' in option && option.value);
			const chosen = [value].flat() as unknown[];
			return chosen
				.filter((each) => !offered.includes(each as never) && !String(each).startsWith('={{'))
				.map((each) => `${key} cannot be ${String(each)}`);
		},
	);
}

function isExpression(value: unknown): boolean {
	return String(value).startsWith('={{');
}

function isLocator(value: unknown): value is { mode: string; value: unknown } {
	return typeof value === 'object' && value !== null && '__rl' in value;
}
