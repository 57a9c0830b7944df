import type { INode, INodeParameters, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { version } from '../../package.json';
import { PACKAGE_NAME } from '../../dev/n8n/paths.mts';
import { keptVersions, keptWorkflows } from '../support/kept-workflows.mts';
import { NODES } from '../support/nodes.mts';

// The parameters that n8n itself adds to a tool and to a polling trigger.
const ADDED = ['descriptionType', 'toolDescription', 'pollTimes'];

// None before the first release.
const itOnceReleased = keptVersions().length > 0 ? it : it.skip;

itOnceReleased(
	'workflows are kept of the version that the package has, with every node of it',
	() => {
		const used = keptWorkflows()
			.filter((kept) => kept.version === version)
			.flatMap(({ workflow }) => workflow.nodes.map(({ type }) => type));
		expect(keptVersions()).toContain(version);
		for (const { description } of NODES) {
			expect(used).toContain(`${PACKAGE_NAME}.${description.name}`);
			if (description.usableAsTool)
				expect(used).toContain(`${PACKAGE_NAME}.${description.name}Tool`);
		}
	},
);

// The end-to-end tests run them. This test needs no n8n.
for (const { version: savedWith, name, workflow } of keptWorkflows()) {
	it(`${name}, saved with ${savedWith}, has only parameters that n8n still passes on`, () => {
		const own = workflow.nodes.filter(({ type }) => type.startsWith(`${PACKAGE_NAME}.`));
		expect(own.length).toBeGreaterThan(0);
		for (const node of own) {
			const description = NODES.map((each) => each.description).find(({ name }) =>
				node.type.replace(/Tool$/, '').endsWith(`.${name}`),
			);
			expect([description?.version].flat()).toContain(node.typeVersion);
			expect(handedOver(node, description as INodeTypeDescription)).toMatchObject(saved(node));
		}
	});
}

function saved({ parameters }: INode): INodeParameters {
	return Object.fromEntries(Object.entries(parameters).filter(([name]) => !ADDED.includes(name)));
}

function handedOver(node: INode, description: INodeTypeDescription): INodeParameters {
	const { properties, name } = description;
	// n8n's name for the variant for AI agents.
	const called = node.type.endsWith('Tool') ? { ...description, name: `${name}Tool` } : description;
	return (
		NodeHelpers.getNodeParameters(properties, node.parameters, true, false, node, called) ?? {}
	);
}
