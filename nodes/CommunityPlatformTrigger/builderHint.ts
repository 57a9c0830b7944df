import { NODE_TYPE, nodeHint } from '../shared/builder/hints';

/** The hint about the webhook trigger for n8n's AI Builder. */
export const builderHint = nodeHint(
	"Choose this to start a workflow when a member joins the community or its wait-list, if the community can reach n8n at a public address. It is told at once. The user has to enter the trigger's production URL in the community's webhook settings: say so. The member is in the field user of each item, e.g. $json.user.msid. Without a public address, choose the Community Platform Polling Trigger.",
	[
		{
			nodeType: NODE_TYPE.action,
			relationHint: 'Acts on the member who joined: write a post, give a role, add to a board',
		},
		{
			nodeType: NODE_TYPE.pollingTrigger,
			relationHint: 'Takes its place where the community cannot reach n8n',
		},
	],
);
