import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { getRoles } from '../shared/pickers/roles';
import { poll } from './poll';
import { properties } from './properties';
import { CREDENTIAL } from '../shared/transport';

/** The polling trigger: for an n8n that the community cannot reach, or in addition to the webhook. */
export class CommunityPlatformPollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Community Platform Polling Trigger',
		name: 'communityPlatformPollingTrigger',
		icon: {
			light: 'file:../../icons/community-platform.svg',
			dark: 'file:../../icons/community-platform.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ $parameter["triggerOn"] === "memberChanged" ? "Member Changed or Left" : $parameter["status"] === 4 ? "Wait-List" : "Member Joined" }}',
		description:
			'Checks your community regularly and starts the workflow when members have joined, changed or left. Needs no public address.',
		activationMessage:
			'Your workflow now checks the community. It starts for members who join, change or leave from now on.',
		builderHint: {
			searchHint:
				'Choose this to start a workflow when the role, status or name of a member has changed, or a member has left. For new members, choose this only if the community cannot reach n8n (no public address) or its settings have no webhooks, because it checks only every few minutes. Otherwise choose the Community Platform Trigger.',
		},
		defaults: { name: 'Community Platform Polling Trigger' },
		// Only because n8n's linter requires it (node-usable-as-tool). A trigger cannot be a tool.
		usableAsTool: undefined,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: CREDENTIAL, required: true }],
		polling: true,
		properties,
	};

	methods = { loadOptions: { getRoles } };

	poll = poll;
}
