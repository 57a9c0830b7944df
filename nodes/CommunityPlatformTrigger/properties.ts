import type { INodeProperties } from 'n8n-workflow';
import { emailDomains, filtersOf, roleIds } from '../shared/memberFilters';

/** The value that selects all events, also those that are added later. */
export const ANY_EVENT = '*';

// n8n's editor keeps no <ol> in a notice (docs/decisions.md, E31); each <ul> begins a line.
const HOW_TO_SET_UP = [
	"1. In the credential, enter a long random text as 'Webhook Secret'.",
	"2. Under 'Webhook URLs' above, copy the production URL. Then publish (activate) the workflow.",
	"3. In your community's webhook settings, enter that URL, and have the same secret sent along as the header X-Webhook-Secret.",
]
	.map((step) => `<ul>${step}</ul>`)
	.join('');

export const properties: INodeProperties[] = [
	{ displayName: HOW_TO_SET_UP, name: 'setUpNotice', type: 'notice', default: '' },
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		noDataExpression: true,
		default: ['member.joined'],
		description: 'Which events start the workflow. Others are acknowledged and ignored.',
		options: [
			{
				name: 'Any Event',
				value: ANY_EVENT,
				description: 'Every event the community sends, including kinds that are added later',
			},
			{
				name: 'Member Joined',
				value: 'member.joined',
				description: 'When a person becomes a member',
			},
			{
				name: 'Member Joined the Wait-List',
				value: 'member.joined_waitlist',
				// By default, n8n's list of nodes makes it "wait list".
				action: 'On member joined wait-list',
				description: 'When a person asks to become a member and has to wait for approval',
			},
		],
	},
	{
		displayName: 'Verification',
		name: 'verification',
		type: 'options',
		noDataExpression: true,
		default: 'secret',
		description: "How to tell the community's events from forged ones",
		options: [
			{ name: 'None', value: 'none', description: 'Accept events from anyone who knows the URL' },
			{
				name: 'Secret',
				value: 'secret',
				description: "Only accept events that carry the 'Webhook Secret' from the credential",
			},
		],
	},
	{
		displayName: 'Confirm with API',
		name: 'confirmWithApi',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description:
			"Whether to read each member back from the API: the workflow gets the API's own record, and an event about a member who does not exist is dropped. Only members are confirmed; other objects come as they were sent.",
	},
	filtersOf([emailDomains, roleIds]),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Ignore Duplicates',
				name: 'ignoreDuplicates',
				type: 'boolean',
				default: true,
				description:
					'Whether to drop an event that has been delivered before. The latest 2,500 are recorded. A manual test drops nothing.',
			},
			{
				displayName: 'IP Allowlist',
				name: 'ipAllowlist',
				type: 'string',
				default: '',
				placeholder: 'e.g. 203.0.113.7, 198.51.100.0/24',
				description:
					'Only accept events from these IP addresses and ranges, separated by commas. If n8n runs behind a reverse proxy, it sees the real address only with N8N_PROXY_HOPS set.',
			},
			{
				displayName: 'Raw Payload',
				name: 'rawPayload',
				type: 'boolean',
				default: false,
				description:
					'Whether to get one item per event, with the body as the community sent it plus "received_at" and "dedupe_key", instead of one item per member. With Confirm with API, the members in it are the API\'s records.',
			},
		],
	},
];
