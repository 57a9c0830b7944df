import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { getRoles } from '../shared/loadRoles';
import { emailDomains, filtersOf, roleIds } from '../shared/memberFilters';
import { poll } from './poll';

const NOTICE_OF_JOINED =
	'A manual test returns the newest member, and the nodes after it run for real. If you approve members after the sign-up of 50 others, use the Community Platform Trigger instead, because a poll can miss them.';

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
			'={{ $parameter["triggerOn"] === "memberChanged" ? "changed" : $parameter["status"] === 4 ? "wait-list" : "joined" }}',
		description:
			'Checks your community regularly and starts the workflow when members have joined, changed or left. Needs no public address.',
		activationMessage:
			'Your workflow now checks the community for members. It starts with what happens from now on.',
		builderHint: {
			searchHint:
				'Choose this to start a workflow when the role, status or name of a member has changed, or a member has left. For new members, choose this only where the community cannot reach n8n (no public address), or where no webhook can be entered in its settings: it asks every few minutes. Otherwise choose the Community Platform Trigger.',
		},
		defaults: { name: 'Community Platform Polling Trigger' },
		// A trigger cannot be a tool; n8n's linter asks for this (node-usable-as-tool).
		usableAsTool: undefined,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'communityPlatformApi', required: true }],
		polling: true,
		properties: [
			// By the label "Trigger On", n8n's list of nodes would show its options in place of the node.
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
				description: 'Which changes start the workflow',
				options: [
					{ name: 'First Name', value: 'name' },
					{ name: 'Left', value: 'left', description: 'Also when the account was deleted' },
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
				description: 'Which members to look for',
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
				description: 'What each item holds',
				options: [
					{
						name: 'Event',
						value: 'event',
						description:
							"The same as the Community Platform Trigger: the member under 'user', beside 'event' and 'dedupe_key'",
					},
					{ name: 'Member', value: 'member', description: "The member's fields and nothing else" },
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
				...filtersOf([emailDomains, roleIds]),
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
							'Whether to read each new or changed member, which adds the email address and takes a request each',
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
