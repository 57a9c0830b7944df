import type { INodeProperties } from 'n8n-workflow';

/** The value that stands for all events, announced ones included (contract, "Triggers"). */
export const ANY_EVENT = '*';

/** The collection "Options"; what is not set is left out. */
export interface Options {
	ignoreDuplicates?: boolean;
	ipAllowlist?: string;
	rawPayload?: boolean;
}

// n8n's editor shows a list and links in a notice, and drops every other tag.
const HOW_TO_SET_UP = `<ul>${[
	"Open the webhook settings of your community and enter this trigger's production URL: click 'Webhook URLs' above to see it. The test URL only works while you test this step.",
	'Let the community send the webhook secret of the credential along, as the header X-Webhook-Secret. Where it cannot send headers, add ?secret=YOUR_SECRET to the URL.',
	'The community must be able to reach the URL. If it begins with localhost or a private address, use the Community Platform Polling Trigger instead.',
]
	.map((point) => `<li>${point}</li>`)
	.join('')}</ul>`;

export const properties: INodeProperties[] = [
	{ displayName: HOW_TO_SET_UP, name: 'setUpNotice', type: 'notice', default: '' },
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		noDataExpression: true,
		default: ['member.joined'],
		description: 'Which events start the workflow. Others are acknowledged and left alone.',
		options: [
			{
				name: '* (Any Event)',
				value: ANY_EVENT,
				description: 'Every event the community sends, also kinds that are added later',
			},
			{
				name: 'Member Joined',
				value: 'member.joined',
				description: 'When somebody becomes a member',
			},
			{
				name: 'Member Joined Waitlist',
				value: 'member.joined_waitlist',
				description: 'When somebody asks to become a member and has to wait for approval',
			},
		],
	},
	{
		displayName: 'Verification',
		name: 'verification',
		type: 'options',
		noDataExpression: true,
		default: 'secret',
		description: 'How to tell events of the community from forged ones',
		options: [
			{
				name: 'Secret',
				value: 'secret',
				description: 'Only accept events that carry the "Webhook Secret" of the credential',
			},
			{
				name: 'None',
				value: 'none',
				description: 'Accept events from everyone who knows the URL',
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
					'Whether to drop an event that has been delivered before. The latest 2,500 are remembered. A manual test drops nothing.',
			},
			{
				displayName: 'IP Allowlist',
				name: 'ipAllowlist',
				type: 'string',
				default: '',
				placeholder: 'e.g. 203.0.113.7, 198.51.100.0/24',
				description:
					'Only accept events from these IP addresses and ranges, separated by commas. Behind a reverse proxy, n8n has to be told so (N8N_PROXY_HOPS) to see the real address.',
			},
			{
				displayName: 'Raw Payload',
				name: 'rawPayload',
				type: 'boolean',
				default: false,
				description:
					'Whether to get one item per event with the body as the community sent it, beside "received_at" and "dedupe_key", instead of one item per member',
			},
		],
	},
];
