import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { getRoles } from '../shared/pickers';
import { emailDomains, triggerFilters, roleIds } from '../shared/memberFilters';
import { poll } from './poll';
import { CREDENTIAL } from '../shared/transport';

const NOTICE_OF_JOINED =
	'A manual test returns the newest member, and the nodes after it run for real. If you approve members after 50 others have signed up, use the Community Platform Trigger, because a poll can miss them.';

const NOTICE_OF_CHANGED =
	'Poll every hour instead of every minute, because each poll takes one request for every 50 members. A manual test returns the newest member as an example, and the nodes after it run for real.';

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
			'={{ $parameter["triggerOn"] === "memberChanged" ? "Member Changed" : $parameter["status"] === 4 ? "Wait-List" : "Member Joined" }}',
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
		properties: [
			// Not "Trigger On", because n8n's list of nodes would then show the options instead of the node.
			{
				displayName: 'Watch For',
				name: 'triggerOn',
				type: 'options',
				noDataExpression: true,
				default: 'memberJoined',
				options: [
					{ name: 'Member Changed', value: 'memberChanged' },
					{ name: 'Member Joined', value: 'memberJoined' },
				],
			},
			noticeOf('memberChanged', NOTICE_OF_CHANGED),
			noticeOf('memberJoined', NOTICE_OF_JOINED),
			{
				displayName: 'Changes',
				name: 'changes',
				type: 'multiOptions',
				required: true,
				noDataExpression: true,
				default: ['left', 'name', 'role', 'status', 'username'],
				displayOptions: { show: { triggerOn: ['memberChanged'] } },
				description: 'The changes that start the workflow',
				options: [
					{ name: 'First Name', value: 'name' },
					{ name: 'Left', value: 'left', description: 'Including deleted accounts' },
					{ name: 'Role', value: 'role' },
					{ name: 'Status', value: 'status', description: 'Such as approved or banned' },
					{ name: 'Username', value: 'username' },
				],
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				noDataExpression: true,
				default: 10,
				displayOptions: { show: { triggerOn: ['memberJoined'] } },
				description: 'The members to look for',
				options: [
					{ name: 'Joined', value: 10, description: 'People who have become members' },
					{ name: 'Wait-List', value: 4, description: 'People who have joined the wait-list' },
				],
			},
			{
				displayName: 'Output',
				name: 'output',
				type: 'options',
				noDataExpression: true,
				default: 'member',
				displayOptions: { show: { triggerOn: ['memberJoined'] } },
				description: 'What each item contains',
				options: [
					{
						name: 'Event',
						value: 'event',
						description:
							"The same fields as the Community Platform Trigger, such as 'user', 'event' and 'dedupe_key'",
					},
					{ name: 'Member', value: 'member', description: "Only the member's fields" },
				],
			},
			{
				displayName: 'Simplify',
				name: 'simplify',
				type: 'boolean',
				default: true,
				displayOptions: { show: { triggerOn: ['memberJoined'], output: ['member'] } },
				description:
					'Whether to return a simplified version of the response instead of the raw data',
			},
			{
				...triggerFilters([emailDomains, roleIds]),
				displayOptions: { show: { triggerOn: ['memberJoined'] } },
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add option',
				default: {},
				options: [
					{
						displayName: 'Include Details',
						name: 'includeDetails',
						type: 'boolean',
						default: true,
						description:
							'Whether to add details such as the email address, with one request per member. Off unless you add it.',
					},
				],
			},
		],
	};

	methods = { loadOptions: { getRoles } };

	poll = poll;
}

function noticeOf(triggerOn: string, text: string): INodeProperties {
	return {
		displayName: text,
		name: `${triggerOn}Notice`,
		type: 'notice',
		default: '',
		displayOptions: { show: { triggerOn: [triggerOn] } },
	};
}
