import type { INodeType, INodeTypeDescription, IRelatedNode } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { labels, properties } from './description';
import { execute } from './run/execute';
import * as listSearch from '../shared/pickers/listSearch';
import { getRoles } from '../shared/pickers/roles';
import { CREDENTIAL } from '../shared/transport';

type NodeHint = NonNullable<INodeTypeDescription['hints']>[number];

const SEARCH_HINT =
	'Acts on a community: its members, roles, boards, posts, comments, replies and tags. Prefer it to an HTTP Request for this API. To start a workflow when a member joins, use the Community Platform Trigger. It cannot delete anything, and posts, comments and replies are reached by their ID only, because the API does not list them.';

const TRIGGERS: IRelatedNode[] = [
	{
		nodeType: 'n8n-nodes-community-platform.communityPlatformTrigger',
		relationHint: 'Starts the workflow as soon as a member joins the community or its wait-list',
	},
	{
		nodeType: 'n8n-nodes-community-platform.communityPlatformPollingTrigger',
		relationHint: 'Starts the workflow when a member joins, even if the community cannot reach n8n',
	},
];

// E.g. "Update Role: Member".
const IN_WORDS = `[$parameter["operation"], $parameter["resource"]].map((value) => (${JSON.stringify(labels)})[value]).join(": ")`;

/**
 * The action node. Its table in `actions/` describes every endpoint of the API declaratively, and its `execute` carries
 * the table out once with all items, because n8n's routing engine sees one item at a time and Engine 2.0 calls only
 * `execute`.
 */
export class CommunityPlatform implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Community Platform',
		name: 'communityPlatform',
		icon: {
			light: 'file:../../icons/community-platform.svg',
			dark: 'file:../../icons/community-platform.dark.svg',
		},
		group: ['transform'],
		version: 1,
		// Warns on the canvas if the next execution changes nothing.
		subtitle: `={{ ($parameter["options"]?.dryRun === true ? "Dry Run, " : "") + ${IN_WORDS} }}`,
		description: 'Work with the boards, members, posts and tags of your community',
		builderHint: { searchHint: SEARCH_HINT, relatedNodes: TRIGGERS },
		defaults: { name: 'Community Platform' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: CREDENTIAL, required: true }],
		// A copy, because n8n adds parameters of its own to a tool.
		properties: [...properties],
		hints: [bracesHint('headline', 'Headline'), bracesHint('content', 'Content')],
	};

	execute = execute;

	methods = { listSearch, loadOptions: { getRoles } };
}

const BRACES = /^(?!=)(?:(?!\x7b\x7b)[^])*\x7b\x7b(?:(?!\x7d\x7d)[^])*\x7d\x7d/;

/**
 * Warns of braces in a text that n8n would publish as typed, because the field is not an expression. The condition
 * reads the saved parameters, in which an expression begins with an equals sign.
 */
function bracesHint(name: string, label: string): NodeHint {
	return {
		message: `'${label}' contains {{ }}, which is published as typed. To fill in a value, switch the field to 'Expression'.`,
		type: 'warning',
		location: 'ndv',
		whenToDisplay: 'always',
		displayCondition: `={{ [$rawParameter.${name}, $rawParameter.updateFields?.${name}].some((text) => ${String(BRACES)}.test(text ?? '')) }}`,
	};
}
