import type { INodeType, INodeTypeDescription, IRelatedNode } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { customOperations, operationNames, properties } from './description';
import * as listSearch from './methods/listSearch';
import { getRoles } from '../shared/loadRoles';

type NodeHint = NonNullable<INodeTypeDescription['hints']>[number];

const SEARCH_HINT =
	"Acts on a community: its users (members), roles, boards, posts, comments, replies and tags. Prefer it to an HTTP Request for this API. It does not start a workflow: for 'when a member joins', begin with the Community Platform Trigger. It cannot delete anything, and posts, comments and replies are reached by their ID only: there is no list of them.";

const TRIGGERS: IRelatedNode[] = [
	{
		nodeType: 'n8n-nodes-community-platform.communityPlatformTrigger',
		relationHint: 'Starts the workflow the moment a member joins, or joins the wait-list',
	},
	{
		nodeType: 'n8n-nodes-community-platform.communityPlatformPollingTrigger',
		relationHint: 'Starts the workflow for new members where the community cannot reach n8n',
	},
];

// E.g. "update role".
const OPERATION_IN_WORDS = `(${JSON.stringify(operationNames)})[$parameter["operation"]]`;

/** The action node: every endpoint of the API as an operation, carried out by `execute/run.ts`. */
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
		// The canvas shows whether the next run makes changes.
		subtitle: `={{ ($parameter["options"]?.dryRun === true ? "dry run, " : "") + ${OPERATION_IN_WORDS} + ": " + $parameter["resource"] }}`,
		description: 'Work with the boards, members, posts and tags of your community',
		builderHint: { searchHint: SEARCH_HINT, relatedNodes: TRIGGERS },
		defaults: { name: 'Community Platform' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'communityPlatformApi', required: true }],
		// Makes n8n add "Request Options". The address is read from the credential, by `call`.
		requestDefaults: { ignoreHttpStatusErrors: true },
		// A copy, because n8n adds parameters of its own to it.
		properties: [...properties],
		hints: [bracesHint('headline', 'Headline'), bracesHint('content', 'Content')],
	};

	// n8n calls these once for all items of a run, instead of its routing engine for each item.
	customOperations = customOperations;

	methods = { listSearch, loadOptions: { getRoles } };
}

const BRACES = /^(?!=)(?:(?!\x7b\x7b)[^])*\x7b\x7b(?:(?!\x7d\x7d)[^])*\x7d\x7d/;

/**
 * A hint while a text to be published has braces that n8n does not evaluate, because they were typed, not pasted. The
 * condition reads the parameters as they are saved, where an expression begins with an equals sign.
 */
function bracesHint(name: string, label: string): NodeHint {
	return {
		message: `'${label}' has braces that are published as they stand. Choose Expression above the field to have them filled in.`,
		type: 'warning',
		location: 'ndv',
		whenToDisplay: 'always',
		displayCondition: `={{ [$rawParameter.${name}, $rawParameter.updateFields?.${name}].some((text) => ${String(BRACES)}.test(text ?? '')) }}`,
	};
}
