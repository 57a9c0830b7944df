import type { INodeProperties } from 'n8n-workflow';
import {
	emailDomains,
	parameterReader,
	roleIds,
	triggerFilters,
} from '../shared/triggerParameters';

const NOTICE_OF_TEST =
	'A manual test returns the newest member as an example, and the nodes after it run for real';

const NOTICE_OF_JOINED =
	'This trigger misses a person who is approved (or verifies their address) after more than 50 others have signed up. The webhook trigger does not.';

const NOTICE_OF_CHANGED =
	'A poll takes one request for every 50 members. It misses a change that is undone before the next poll.';

export const properties: INodeProperties[] = [
	// Not "Trigger On", because n8n's list of nodes would then show the options instead of the node.
	{
		displayName: 'Watch For',
		name: 'triggerOn',
		type: 'options',
		noDataExpression: true,
		default: 'memberJoined',
		options: [
			{ name: 'Member Changed or Left', value: 'memberChanged' },
			{ name: 'Member Joined', value: 'memberJoined' },
		],
	},
	noticeOf('memberChanged', NOTICE_OF_CHANGED),
	noticeOf('memberJoined', NOTICE_OF_JOINED),
	{ displayName: NOTICE_OF_TEST, name: 'testNotice', type: 'notice', default: '' },
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
		description: 'Whether to return a simplified version of the response instead of the raw data',
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
					'Whether to add details such as the email address, with one request per member',
			},
		],
	},
];

/** Returns the reader of the trigger's parameters. */
export const readerOf = parameterReader(properties);

function noticeOf(triggerOn: string, text: string): INodeProperties {
	return {
		displayName: text,
		name: `${triggerOn}Notice`,
		type: 'notice',
		default: '',
		displayOptions: { show: { triggerOn: [triggerOn] } },
	};
}
