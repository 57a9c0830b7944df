import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import {
	emailDomains,
	parameterReader,
	roleIds,
	triggerFilters,
} from '../shared/triggerParameters';

/** The value that selects all events, including ones that are added later. */
export const ANY_EVENT = '*';

// n8n's editor removes <ol> from a notice (docs/decisions.md, E31). Each <ul> begins a line. The panel beside it
// explains the test URL.
function noticeOf(verification: string, steps: string[]): INodeProperties {
	return {
		displayName: steps.map((step, at) => `<ul>${at + 1}. ${step}</ul>`).join(''),
		name: `${verification}Notice`,
		type: 'notice',
		default: '',
		displayOptions: { show: { verification: [verification] } },
	};
}

const notices = [
	noticeOf('secret', [
		"In the credential, set 'Webhook Secret' to a long random text.",
		'Copy the production URL above, and publish the workflow.',
		"Enter URL and secret (header X-Webhook-Secret) in your community's webhook settings.",
	]),
	noticeOf('none', [
		'Copy the production URL above, and publish the workflow.',
		"Enter it in your community's webhook settings.",
		'Keep it secret, because anyone who knows it can send events.',
	]),
];

export const EVENTS: INodePropertyOptions[] = [
	{ name: 'Any Event', value: ANY_EVENT, description: 'All events, including future ones' },
	{ name: 'Member Joined', value: 'member.joined', description: 'A person becomes a member' },
	{
		name: 'Member Joined the Wait-List',
		value: 'member.joined_waitlist',
		// By default, n8n's list of nodes makes it "wait list".
		action: 'On member joined wait-list',
		description: 'A person asks to become a member and waits for approval',
	},
];

export const properties: INodeProperties[] = [
	...notices,
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		noDataExpression: true,
		default: ['member.joined'],
		description: 'The events that start the workflow. Others are acknowledged but ignored.',
		options: EVENTS,
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
				description: "Accept only events with the 'Webhook Secret' of the credential",
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
			'Whether to replace the member in the event with the record from the API. Events about members who do not exist are dropped.',
	},
	triggerFilters([emailDomains, roleIds]),
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
					'Whether to drop an event that was among the last 2,500 delivered. A manual test drops nothing.',
			},
			{
				displayName: 'IP Allowlist',
				name: 'ipAllowlist',
				type: 'string',
				default: '',
				placeholder: 'e.g. 203.0.113.7, 198.51.100.0/24',
				description:
					'IP addresses and ranges to accept events from, separated by commas. If n8n runs behind a reverse proxy, set N8N_PROXY_HOPS.',
			},
		],
	},
];

/** Returns the reader of the trigger's parameters. */
export const readerOf = parameterReader(properties);
