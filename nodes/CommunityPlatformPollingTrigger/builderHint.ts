import { NODE_TYPE, nodeHint } from '../shared/builder/hints';

/** The hint about the polling trigger for n8n's AI Builder. */
export const builderHint = nodeHint(
	'Choose this to start a workflow for new members only where the community cannot reach n8n (no public address), or where no webhook can be entered in its settings: it asks every few minutes. Otherwise choose the Community Platform Trigger.',
	[
		{
			nodeType: NODE_TYPE.action,
			relationHint: 'Acts on the member who joined: write a post, give a role, add to a board',
		},
		{
			nodeType: NODE_TYPE.webhookTrigger,
			relationHint: 'Takes its place where the community can reach n8n: it is told at once',
		},
	],
);
