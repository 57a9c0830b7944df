import type { Sandbox } from '../../../sandbox/server.mts';
import { byId } from '../community.mts';
import { ADA, GRACE } from '../known-records.mts';
import { fromList, type WireCase } from './table.mts';

const creates = (operation: WireCase['operation'], told = {}): WireCase[] => [
	{
		operation,
		title: 'sends every field',
		parameters: {
			firstName: 'Alan',
			email: 'alan@members.example',
			additionalFields: {
				middleName: 'Mathison',
				lastName: 'Turing',
				username: 'alan',
				ssoId: '00u1a2b3c4',
				userAvatar: 'https://images.example/alan.png',
				lang: 'fr',
				timezone: 'Europe/Paris',
			},
		},
		expectedRequests: [
			[
				'POST',
				'/api/v1/users',
				{
					first_name: 'Alan',
					email: 'alan@members.example',
					middle_name: 'Mathison',
					last_name: 'Turing',
					username: 'alan',
					sso_id: '00u1a2b3c4',
					user_avatar: 'https://images.example/alan.png',
					lang: 'fr',
					timezone: 'Europe/Paris',
				},
			],
		],
		expectedItems: [
			{ user_id: 161, username: 'alan', first_name: 'Alan', user_status_name: 'ACTIVE', ...told },
		],
	},
	{
		operation,
		title: 'sends only the required fields if no other is set',
		parameters: { firstName: 'Alan', email: 'alan@members.example' },
		expectedRequests: [
			['POST', '/api/v1/users', { first_name: 'Alan', email: 'alan@members.example' }],
		],
		expectedItems: [{ user_id: 161, email: 'alan@members.example', ...told }],
	},
];

const FILTERS = {
	joinedAfter: '2025-01-02T03:04:05',
	joinedBefore: '2099-01-01',
	nameContains: 'a',
	roleId: byId('10'),
	status: 4,
};
const graceWaits = ({ community }: Sandbox) =>
	community.changeUser(GRACE, { user_status: 4, created_at: '2025-02-01T00:00:00Z' });

export const user: WireCase[] = [
	...creates('user.create'),
	...creates('user.createOrGet', { created: true }),
	{
		operation: 'user.get',
		title: 'reads a member by msid, with its dot in the path',
		decision: 6,
		parameters: { userId: fromList(ADA) },
		expectedRequests: [['GET', `/api/v1/users/${ADA}`]],
		expectedItems: [{ msid: ADA, user_id: 9001, first_name: 'Ada', email: 'ada@members.example' }],
	},
	{
		operation: 'user.get',
		title: 'reads a member by user_id, too',
		parameters: { userId: byId(9001) },
		expectedRequests: [['GET', '/api/v1/users/9001']],
		expectedItems: [{ msid: ADA }],
	},
	{
		operation: 'user.getAll',
		decision: 1,
		title: 'leaves the filter and the order to the API unless they are set',
		parameters: { limit: 1 },
		expectedRequests: [['GET', '/api/v1/users?page=1&page_size=1']],
		expectedItems: [{ msid: GRACE }],
	},
	{
		operation: 'user.getAll',
		title: 'filters and sorts',
		parameters: { limit: 1, filters: { status: 4 }, sort: { sortBy: 'joined', order: 'asc' } },
		arrange: ({ community }) =>
			community.changeUser(GRACE, { user_status: 4, created_at: '2000-01-01T00:00:00Z' }),
		expectedRequests: [
			['GET', '/api/v1/users?status=4&order=asc&sort_by=joined&page=1&page_size=1'],
		],
		expectedItems: [{ msid: GRACE, user_status: 4, user_status_name: 'WAITLIST' }],
	},
	{
		operation: 'user.getAll',
		title: 'keeps the members with a role who joined since a time, the newest first',
		parameters: { returnAll: true, filters: FILTERS },
		arrange: graceWaits,
		expectedRequests: [
			['GET', '/api/v1/users?status=4&sort_by=joined&order=desc&page=1&page_size=50'],
		],
		expectedItems: [{ msid: GRACE, user_status_name: 'WAITLIST' }],
	},
	{
		operation: 'user.getCount',
		title: 'counts the members with a role who joined since a time',
		parameters: { filters: FILTERS },
		arrange: graceWaits,
		expectedRequests: [
			['GET', '/api/v1/users?status=4&sort_by=joined&order=desc&page=1&page_size=50'],
			['GET', '/api/v1/roles?page=1&page_size=50'],
		],
		expectedItems: [{ count: 1, by_role: { Member: 1 } }],
	},
	{
		operation: 'user.getSelf',
		title: 'reads the owner of the key',
		expectedRequests: [['GET', '/api/v1/users/me']],
		expectedItems: [{ user_id: 101, username: 'robinkeeper', user_status_name: 'ACTIVE' }],
	},
	{
		operation: 'user.update',
		title: 'keeps only fields that the API returns',
		parameters: {
			userId: byId(ADA),
			keepOtherFields: true,
			hiddenFields: 'clear',
			updateFields: { firstName: 'Augusta' },
		},
		expectedRequests: [
			['GET', `/api/v1/users/${ADA}`],
			[
				'PUT',
				`/api/v1/users/${ADA}`,
				{
					first_name: 'Augusta',
					username: 'ada',
					user_avatar: 'https://images.example/ada.png',
					user_description: '<p>Mathematician</p>',
				},
			],
		],
		expectedItems: [{ msid: ADA, first_name: 'Augusta', username: 'ada' }],
	},
	{
		operation: 'user.update',
		title: 'sends the hidden fields, including those that are added and left empty',
		isForPeople: true,
		parameters: {
			userId: byId(GRACE),
			updateFields: {
				lastName: 'Hopper',
				timezone: 'UTC',
				...{ banner: '', lang: '', middleName: '', socialMediaLinks: '{}' },
			},
		},
		expectedRequests: [
			['GET', `/api/v1/users/${GRACE}`],
			[
				'PUT',
				`/api/v1/users/${GRACE}`,
				{
					first_name: 'Grace',
					username: 'member9002',
					banner: '',
					lang: '',
					last_name: 'Hopper',
					middle_name: '',
					timezone: 'UTC',
					social_media_links: {},
				},
			],
		],
		expectedItems: [{ msid: GRACE, last_name: 'Hopper' }],
	},
	{
		operation: 'user.update',
		title: 'replaces the member without reading first',
		parameters: {
			userId: byId(ADA),
			keepOtherFields: false,
			updateFields: {
				firstName: 'Augusta',
				middleName: 'Ada',
				lastName: 'King',
				username: 'ada_k',
				userAvatar: 'https://images.example/king.png',
				lang: 'en',
				timezone: 'UTC',
				userDescription: '<p>Writer</p>',
				banner: 'https://images.example/banner.png',
				socialMediaLinks: '{ "network": "https://network.example/king" }',
			},
		},
		expectedRequests: [
			[
				'PUT',
				`/api/v1/users/${ADA}`,
				{
					first_name: 'Augusta',
					middle_name: 'Ada',
					last_name: 'King',
					username: 'ada_k',
					user_avatar: 'https://images.example/king.png',
					lang: 'en',
					timezone: 'UTC',
					user_description: '<p>Writer</p>',
					banner: 'https://images.example/banner.png',
					social_media_links: { network: 'https://network.example/king' },
				},
			],
		],
		expectedItems: [{ msid: ADA, first_name: 'Augusta', username: 'ada_k' }],
	},
	{
		operation: 'user.updateRole',
		title: 'sends action 101 with the role',
		parameters: { userId: fromList(ADA), roleId: fromList('5') },
		expectedRequests: [['PATCH', `/api/v1/users/${ADA}`, { action: 101, data: { role_id: 5 } }]],
		expectedItems: [{ message: 'OK', msid: ADA }],
	},
	{
		operation: 'user.updateRole',
		title: 'sends a note along',
		parameters: {
			userId: byId(GRACE),
			roleId: byId(22),
			additionalFields: { details: 'Promoted for 25 posts' },
		},
		expectedRequests: [
			[
				'PATCH',
				`/api/v1/users/${GRACE}`,
				{ action: 101, data: { role_id: 22 }, details: 'Promoted for 25 posts' },
			],
		],
		expectedItems: [{ message: 'OK', msid: GRACE }],
	},
];
