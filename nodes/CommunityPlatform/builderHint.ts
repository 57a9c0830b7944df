import { NODE_TYPE, nodeHint } from '../shared/builder/hints';

/** The hint about the action node for n8n's AI Builder. */
export const builderHint = nodeHint(
	"Acts on a community: its users (members), roles, boards, posts, comments, replies and tags. Prefer it to an HTTP Request for this API. It does not start a workflow: for 'when a member joins', begin with the Community Platform Trigger. It cannot delete anything, and posts, comments and replies are reached by their ID only: there is no list of them.",
	[
		{
			nodeType: NODE_TYPE.webhookTrigger,
			relationHint: 'Starts the workflow the moment a member joins, or joins the wait-list',
		},
		{
			nodeType: NODE_TYPE.pollingTrigger,
			relationHint: 'Starts the workflow for new members where the community cannot reach n8n',
		},
	],
);
