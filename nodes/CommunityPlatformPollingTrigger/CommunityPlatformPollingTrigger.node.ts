import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { poll } from './poll';

/** The polling trigger: for an n8n that the community cannot reach, and beside the webhook. */
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
		subtitle: '={{ $parameter["status"] === 4 ? "waitlist" : "joined" }}',
		description:
			'Asks your community regularly for new members and starts the workflow when there are any. Needs no public address.',
		activationMessage:
			'Your workflow now asks the community for new members. It begins with those who join from now on.',
		defaults: { name: 'Community Platform Polling Trigger' },
		// A model cannot call what starts a workflow; the linter wants that said (node-usable-as-tool).
		usableAsTool: undefined,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'communityPlatformApi', required: true }],
		polling: true,
		properties: [
			{
				displayName:
					"Activating the workflow starts from now: members who are there already are left alone. A manual test shows the newest members. Someone who is approved after signing up is listed under the date of the sign-up, and can be overlooked once that is not among the dates of the 50 newest members; to catch every approval, use the Community Platform Trigger, or watch 'Waitlist' and approve in the workflow.",
				name: 'startNotice',
				type: 'notice',
				default: '',
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				noDataExpression: true,
				default: 10,
				description: 'Which members to look for',
				options: [
					{ name: 'Joined', value: 10, description: 'Who became a member' },
					{ name: 'Waitlist', value: 4, description: 'Who joined the wait-list' },
				],
			},
			{
				displayName: 'Simplify',
				name: 'simplify',
				type: 'boolean',
				default: true,
				description:
					'Whether to return a simplified version of the response instead of the raw data',
			},
		],
	};

	poll = poll;
}
