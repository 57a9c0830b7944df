import type { IHookFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { getRoles } from '../shared/pickers/roles';
import { prepare } from './activate';
import { execute } from './confirm';
import { EVENTS, properties } from './properties';
import { receive } from './receive';
import { CREDENTIAL } from '../shared/transport';

const TRY_ONCE =
	"To try it once: enter the test URL in your community's webhook settings, then have a member join";

const TWO_URLS =
	"This trigger has two URLs. <br /><br /><b>Use the test URL while you build your workflow.</b> Test this step, enter the test URL in the community's webhook settings (or send it an event by hand), and have a member join. The event shows up here. <br /><br /><b>Use the production URL to run the workflow automatically.</b> ";

const BUILDER_HINT =
	"Choose this to start a workflow when a member joins the community or its wait-list, if the community can reach n8n at a public address. It starts immediately. Tell the person to enter the trigger's production URL in the community's webhook settings. Each item contains the member, e.g. $json.user.msid. Without a public address, choose the Community Platform Polling Trigger.";

const LABELS = Object.fromEntries(EVENTS.map(({ value, name }) => [value, name]));

/** `webhook` verifies and answers deliveries and makes items, `execute` confirms and deduplicates them (docs/decisions.md, E14). */
export class CommunityPlatformTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Community Platform Trigger',
		name: 'communityPlatformTrigger',
		icon: {
			light: 'file:../../icons/community-platform.svg',
			dark: 'file:../../icons/community-platform.dark.svg',
		},
		group: ['trigger'],
		// From version 2 on, n8n evaluates no expression to read a body, so it needs no sandbox (docs/decisions.md, E23).
		version: 2,
		subtitle: `={{ $parameter["events"].map((value) => (${JSON.stringify(LABELS)})[value]).join(", ") }}`,
		// n8n's list of nodes has one entry for this trigger and the action node, with this text (docs/decisions.md, E32).
		description:
			"Work with your community's members, boards, posts and tags, or start when a member joins",
		eventTriggerDescription: TRY_ONCE,
		activationMessage:
			"Your workflow now waits for events. If you have not done so yet, enter this trigger's production URL in the community's webhook settings, with your webhook secret.",
		triggerPanel: {
			header: TRY_ONCE,
			executionsHelp: {
				inactive: `${TWO_URLS}Publish (activate) the workflow, then enter the production URL in the community's webhook settings. These executions show up in the executions list, but not in the editor.`,
				active: `${TWO_URLS}The workflow is active. Make sure the production URL is entered in the community's webhook settings. These executions show up in the <a data-key="executions">executions list</a>, but not in the editor.`,
			},
			activationHint:
				"Once the workflow is published (active) and the production URL is entered in the community's webhook settings, it runs without this button.",
		},
		builderHint: {
			searchHint: BUILDER_HINT,
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-community-platform.communityPlatform',
					relationHint: 'Acts on the member who joined, e.g. writes a post or changes the role',
				},
				{
					nodeType: 'n8n-nodes-community-platform.communityPlatformPollingTrigger',
					relationHint: 'Replaces it if the community cannot reach n8n',
				},
			],
		},
		defaults: { name: 'Community Platform Trigger' },
		// Only because n8n's linter requires it (node-usable-as-tool). A trigger cannot be a tool.
		usableAsTool: undefined,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: CREDENTIAL, required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// If empty, the answer is what `webhook` returns. If left out, it is the word "firstEntryJson".
				responseData: '',
				path: 'webhook',
			},
		],
		properties,
	};

	methods = { loadOptions: { getRoles } };

	webhookMethods = {
		default: {
			// The API documents no endpoint for subscriptions, so `create` only checks the settings at every activation.
			checkExists: async (): Promise<boolean> => false,
			async create(this: IHookFunctions): Promise<boolean> {
				await prepare(this);
				return true;
			},
			delete: async (): Promise<boolean> => true,
		},
	};

	webhook = receive;

	execute = execute;
}
